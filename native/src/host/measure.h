/* What the two comparators share with the Java side: the shape of a cycle, its buffers, and how it is timed. */
#ifndef VERIFYCYCLE_MEASURE_H
#define VERIFYCYCLE_MEASURE_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { CALLS = 122, BUFFER_SETS = 4 };

/* System.nanoTime() is this clock. */
static long now_nanos(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000L + t.tv_nsec;
}

struct buffers {
    float *in[BUFFER_SETS], *out[BUFFER_SETS];
};

static struct buffers make_buffers(int rank, size_t elements) {
    struct buffers b;
    for (int set = 0; set < BUFFER_SETS; set++) {
        b.in[set] = malloc(elements * sizeof(float));
        b.out[set] = calloc(elements, sizeof(float));
        for (size_t i = 0; i < elements; i++)
            b.in[set][i] = (float)((i * 7 + (size_t)set * 5 + (size_t)rank * 3) % 17);
    }
    return b;
}

/* Every output against inputs made again; ends the process on a wrong sum. */
static void check_buffers(const struct buffers *b, size_t elements, int world) {
    for (int set = 0; set < BUFFER_SETS; set++)
        for (size_t i = 0; i < elements; i++) {
            float sum = 0;
            for (int rank = 0; rank < world; rank++)
                sum += (float)((i * 7 + (size_t)set * 5 + (size_t)rank * 3) % 17);
            if (b->out[set][i] != sum) {
                fprintf(stderr, "pair %d, element %zu: %g is not %g\n", set, i, b->out[set][i], sum);
                exit(1);
            }
        }
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Group time per call: last end minus last start. starts and ends are [rank][cycle]. Prints median, 10th, 90th percentile. */
static void print_group_times(const long *starts, const long *ends, int world, int cycles) {
    double *micros = malloc((size_t)cycles * sizeof(double));
    for (int c = 0; c < cycles; c++) {
        long start = starts[c], end = ends[c];
        for (int rank = 1; rank < world; rank++) {
            if (starts[rank * cycles + c] > start) start = starts[rank * cycles + c];
            if (ends[rank * cycles + c] > end) end = ends[rank * cycles + c];
        }
        micros[c] = (double)(end - start) / 1e3 / CALLS;
    }
    qsort(micros, (size_t)cycles, sizeof(double), ascending);
    printf("%.3f %.3f %.3f\n", micros[cycles / 2], micros[cycles / 10], micros[cycles * 9 / 10]);
    free(micros);
}

#endif
