/*
 * host/one-shot-pull in C: the same protocol, chunks and measurement between two processes, fp32, so that what Java costs
 * can be told from what the algorithm costs.
 *
 *   allreduce_c BYTES CHUNK_BYTES CYCLES      prints median, 10th and 90th percentile of the group time per call, in us
 *
 * The protocol is drawn in OneShotPull.java.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measure.h"

enum { WORLD = 2, AHEAD = 1, MAX_SLOTS = 2 * (AHEAD + 1), SPINS = 200 };

struct flag {
    _Alignas(128) _Atomic long value;
};

static struct flag *flags, *barriers;
static char *slots;
static size_t bytes, chunk_bytes, slot_stride, chunks;
static int rank, slot_count, ahead;
static long epoch = 1, barrier_epoch;

static void await(struct flag *f, long value) {
    for (int waited = 0; atomic_load_explicit(&f->value, memory_order_acquire) < value; waited++) {
        if (waited < SPINS)
            __builtin_ia32_pause();
        else
            sched_yield();
    }
}

static float *slot(int owner, long number) {
    return (float *)(slots + ((size_t)owner * MAX_SLOTS + (size_t)(number % slot_count)) * slot_stride);
}

static size_t size_of(size_t chunk) {
    return chunk + 1 < chunks ? chunk_bytes : bytes - chunk * chunk_bytes;
}

static void publish(const float *in, size_t chunk, long number) {
    memcpy(slot(rank, number), (const char *)in + chunk * chunk_bytes, size_of(chunk));
    atomic_store_explicit(&flags[rank].value, number, memory_order_release);
}

static void reduce(const float *in, float *out, size_t chunk, long number) {
    await(&flags[1 - rank], number);
    const float *restrict own = in + chunk * chunk_bytes / sizeof(float);
    const float *restrict peer = slot(1 - rank, number);
    float *restrict sum = out + chunk * chunk_bytes / sizeof(float);
    const size_t n = size_of(chunk) / sizeof(float);
    for (size_t i = 0; i < n; i++)
        sum[i] = own[i] + peer[i];
}

static void all_reduce(const float *in, float *out) {
    size_t published = 0;
    for (size_t reduced = 0; reduced < chunks; reduced++) {
        for (; published < chunks && published <= reduced + (size_t)ahead; published++)
            publish(in, published, epoch + (long)published);
        reduce(in, out, reduced, epoch + (long)reduced);
    }
    epoch += (long)chunks;
}

static void barrier(void) {
    atomic_store_explicit(&barriers[rank].value, ++barrier_epoch, memory_order_release);
    await(&barriers[1 - rank], barrier_epoch);
}

static void *shared(size_t size) {
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) {
        perror("mmap");
        exit(1);
    }
    return p;
}

int main(int argc, char **argv) {
    if (argc != 4) {
        fprintf(stderr, "usage: %s BYTES CHUNK_BYTES CYCLES\n", argv[0]);
        return 1;
    }
    bytes = strtoul(argv[1], NULL, 10);
    chunk_bytes = strtoul(argv[2], NULL, 10);
    if (chunk_bytes > bytes)
        chunk_bytes = bytes;
    const int cycles = atoi(argv[3]);
    chunks = (bytes + chunk_bytes - 1) / chunk_bytes;
    ahead = chunks > 1 ? AHEAD : 0;
    slot_count = 2 * (ahead + 1);
    slot_stride = (chunk_bytes + 127) / 128 * 128;
    flags = shared(WORLD * sizeof(struct flag));
    barriers = shared(WORLD * sizeof(struct flag));
    slots = shared(WORLD * MAX_SLOTS * slot_stride);
    long *starts = shared(WORLD * (size_t)cycles * sizeof(long)), *ends = shared(WORLD * (size_t)cycles * sizeof(long));

    const pid_t child = fork();
    rank = child == 0;
    struct buffers b = make_buffers(rank, bytes / sizeof(float));
    for (int c = -cycles / 2; c < cycles; c++) {
        barrier();
        const long start = now_nanos();
        for (int i = 0; i < CALLS; i++)
            all_reduce(b.in[i % BUFFER_SETS], b.out[i % BUFFER_SETS]);
        const long end = now_nanos();
        if (c >= 0) {
            starts[rank * cycles + c] = start;
            ends[rank * cycles + c] = end;
        }
    }
    check_buffers(&b, bytes / sizeof(float), WORLD);
    barrier();
    if (child == 0)
        return 0;
    int status = 0;
    waitpid(child, &status, 0);
    print_group_times(starts, ends, WORLD, cycles);
    return status != 0;
}
