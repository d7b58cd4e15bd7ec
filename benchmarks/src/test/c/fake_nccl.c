/* A libnccl.so.2 for tests without a GPU: the calls this program makes, over a file that the ranks map.
 *
 * "Device" memory is whatever the process can read and write (that of fake_cuda.c, or the heap). A call meets the other
 * ranks and sums in float32 in rank order (bf16 and fp32); while a stream of fake_cuda.c captures it becomes a node of the
 * graph, through its fake_cuda_enqueue, if that has one. Ranks find one another by all 128 bytes of the id. What was called
 * is appended to FAKE_NCCL_DIR/nccl.<pid>, one line each; debug output goes to NCCL_DEBUG_FILE as the real one's does.
 *
 * FAKE_NCCL_DIR      folder
 * FAKE_NCCL_VERSION  ncclGetVersion (default 22809); more ranks than FAKE_CUDA_GPUS (default 2) are declined
 * FAKE_NCCL_FAIL     NAME=CODE[@RANK]: that call returns CODE
 * FAKE_NCCL_CHOICE   ALGO PROTO CHANNELS: what it says it chose, whatever was asked; "symmetric": a symmetric kernel
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MAX_RANKS = 8, SLOT_BYTES = 4 << 20, FAILED = 5, INVALID = 4 };
typedef struct { char internal[128]; } Id;
typedef struct { _Atomic uint32_t arrived[MAX_RANKS]; char slots[]; } Board;
typedef struct { int rank, world, window; uint32_t epoch; Board *board; uint64_t memory[2]; } Comm;
typedef struct { const void *input; void *output; size_t count; int dtype; Comm *comm; } Call;

static char last[256];
static int own_rank = -1;

static const char *setting(const char *name, const char *otherwise) {
    const char *value = getenv(name);
    return value != NULL && *value != 0 ? value : otherwise;
}

static void append(const char *path, const char *format, va_list arguments) {
    char line[1024];
    int n = vsnprintf(line, sizeof line - 1, format, arguments);
    line[n++] = '\n';
    int file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (write(file, line, (size_t)n) != n) abort();
    close(file);
}

static void note(const char *format, ...) {
    char path[512];
    snprintf(path, sizeof path, "%s/nccl.%d", setting("FAKE_NCCL_DIR", "/tmp"), (int)getpid());
    va_list arguments;
    va_start(arguments, format);
    append(path, format, arguments);
    va_end(arguments);
}

static void debug(const char *format, ...) {
    if (strcmp(setting("NCCL_DEBUG", ""), "INFO") != 0 || getenv("NCCL_DEBUG_FILE") == NULL) return;
    va_list arguments;
    va_start(arguments, format);
    append(getenv("NCCL_DEBUG_FILE"), format, arguments);
    va_end(arguments);
}

static int told(const char *name) {
    const char *fail = setting("FAKE_NCCL_FAIL", "");
    size_t n = strlen(name);
    if (strncmp(fail, name, n) != 0 || fail[n] != '=') return 0;
    const char *at = strchr(fail, '@');
    if (at != NULL && atoi(at + 1) != own_rank) return 0;
    snprintf(last, sizeof last, "%s was told to fail", name);
    return atoi(fail + n + 1);
}

#define CALLED(...)                       \
    do {                                  \
        note(__VA_ARGS__);                \
        const int code_ = told(__func__); \
        if (code_ != 0) return code_;     \
    } while (0)

static uint64_t hash(const Id *id) {
    uint64_t h = 1469598103934665603u;
    for (size_t i = 0; i < sizeof *id; i++) h = (h ^ (unsigned char)id->internal[i]) * 1099511628211u;
    return h;
}

int ncclGetVersion(int *version) { *version = atoi(setting("FAKE_NCCL_VERSION", "22809")); return 0; }

int ncclGetUniqueId(Id *id) {
    CALLED("ncclGetUniqueId");
    for (size_t i = 0; i < sizeof *id; i++) id->internal[i] = (char)(getpid() * 31 + (int)i * 7 + 1);
    return 0;
}

/* Of a fake driver, if one is loaded: INIT_BYTES by the start, CONNECT_BYTES by the first call, as the real one connects late. */
enum { INIT_BYTES = 4 << 20, CONNECT_BYTES = 1 << 20 };

static void *driver(const char *name) {
    void *library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
    return library == NULL ? NULL : dlsym(library, name);
}

static void take(Comm *comm, int which, size_t bytes) {
    int (*allocate)(uint64_t *, size_t) = (int (*)(uint64_t *, size_t))driver("cuMemAlloc_v2");
    if (allocate != NULL && comm->memory[which] == 0) allocate(&comm->memory[which], bytes);
}

static void give_back(Comm *comm) {
    int (*release)(uint64_t) = (int (*)(uint64_t))driver("cuMemFree_v2");
    for (int i = 0; i < 2; i++)
        if (comm->memory[i] != 0) release(comm->memory[i]);
}

static void meet(Comm *comm) {
    comm->epoch++;
    atomic_store(&comm->board->arrived[comm->rank], comm->epoch);
    for (int r = 0; r < comm->world; r++)
        while ((int32_t)(atomic_load(&comm->board->arrived[r]) - comm->epoch) < 0) sched_yield();
}

int ncclCommInitRankConfig(Comm **out, int world, Id id, int rank, const unsigned char *config) {
    char path[512], hex[97];
    own_rank = rank;
    for (int i = 0; i < 48; i++) snprintf(hex + 2 * i, 3, "%02x", config[i]);
    note("variables ALGO=%s PROTO=%s MIN_NCHANNELS=%s MAX_NCHANNELS=%s P2P_DISABLE=%s P2P_LEVEL=%s NVLS_ENABLE=%s", setting("NCCL_ALGO", "-"), setting("NCCL_PROTO", "-"),
         setting("NCCL_MIN_NCHANNELS", "-"), setting("NCCL_MAX_NCHANNELS", "-"), setting("NCCL_P2P_DISABLE", "-"), setting("NCCL_P2P_LEVEL", "-"), setting("NCCL_NVLS_ENABLE", "-"));
    CALLED("ncclCommInitRankConfig rank=%d world=%d id=%016llx config=%s", rank, world, (unsigned long long)hash(&id), hex);
    if (world > atoi(setting("FAKE_CUDA_GPUS", "2"))) {
        snprintf(last, sizeof last, "Duplicate GPU detected : rank %d and rank %d both on CUDA device 19000", rank, (rank + 1) % world);
        return FAILED;
    }
    snprintf(path, sizeof path, "%s/comm.%016llx", setting("FAKE_NCCL_DIR", "/tmp"), (unsigned long long)hash(&id));
    const size_t bytes = sizeof(Board) + (size_t)MAX_RANKS * SLOT_BYTES;
    int file = open(path, O_RDWR | O_CREAT, 0600);
    if (file < 0 || ftruncate(file, (off_t)bytes) != 0) return FAILED;
    Comm *comm = calloc(1, sizeof *comm);
    comm->rank = rank;
    comm->world = world;
    comm->board = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    take(comm, 0, INIT_BYTES);
    meet(comm);
    debug("fake:1:1 [%d] NCCL INFO Channel 00/0 : %d[%d] -> %d[%d] via %s", rank, rank, rank, (rank + 1) % world, (rank + 1) % world,
          strcmp(setting("NCCL_P2P_DISABLE", "0"), "1") == 0 ? "SHM/direct/direct" : "P2P/CUMEM");
    for (int i = 0; i < 2; i++) {
        static const char *const known[] = {"NCCL_GRAPH_MIXING_SUPPORT", "NCCL_CGA_CLUSTER_SIZE"};
        if (getenv(known[i]) != NULL && strstr(setting("NCCL_DEBUG_SUBSYS", ""), "ENV") != NULL) debug("fake:1:1 [%d] NCCL INFO %s set by environment to %s.", rank, known[i], getenv(known[i]));
    }
    *out = comm;
    return 0;
}

static float widen(const char *tensor, size_t i, int bf16) {
    uint32_t bits = bf16 ? (uint32_t)((const uint16_t *)tensor)[i] << 16 : ((const uint32_t *)tensor)[i];
    float value;
    memcpy(&value, &bits, 4);
    return value;
}

static void narrow(char *tensor, size_t i, int bf16, float value) {
    uint32_t bits;
    memcpy(&bits, &value, 4);
    if (bf16) ((uint16_t *)tensor)[i] = (uint16_t)((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
    else ((uint32_t *)tensor)[i] = bits;
}

static void run(void *argument) {
    const Call *call = argument;
    Comm *comm = call->comm;
    const int bf16 = call->dtype == 9;
    memcpy(comm->board->slots + (size_t)comm->rank * SLOT_BYTES, call->input, call->count * (bf16 ? 2 : 4));
    meet(comm);
    for (size_t i = 0; i < call->count; i++) {
        float sum = widen(comm->board->slots, i, bf16);
        for (int r = 1; r < comm->world; r++) sum += widen(comm->board->slots + (size_t)r * SLOT_BYTES, i, bf16);
        narrow(call->output, i, bf16, sum);
    }
    meet(comm);
}

static void tell_choice(const Comm *comm, size_t bytes) {
    char algo[32], proto[32];
    int channels = atoi(setting("NCCL_MAX_NCHANNELS", "8"));
    snprintf(algo, sizeof algo, "%s", setting("NCCL_ALGO", "RING"));
    snprintf(proto, sizeof proto, "%s", setting("NCCL_PROTO", "LL"));
    const char *choice = setting("FAKE_NCCL_CHOICE", "");
    if (comm->rank != 0) return;
    if (strcmp(choice, "symmetric") == 0 || (*choice == 0 && comm->window)) {
        debug("fake:1:1 [0] NCCL INFO AllReduce [Symmetric]: %zu Bytes -> Kernel %s nchannels %s nthreads 512 nWorks 1", bytes,
              setting("NCCL_SYM_KERNEL", "AllReduce_AGxLL_R"), setting("NCCL_MIN_CTAS", "4"));
        return;
    }
    sscanf(choice, "%31s %31s %d", algo, proto, &channels);
    debug("fake:1:1 [0] NCCL INFO AllReduce: %zu Bytes -> Algo %s proto %s channel{Lo..Hi}={0..%d}", bytes, algo, proto, channels - 1);
}

int ncclAllReduce(const void *input, void *output, size_t count, int dtype, int operation, Comm *comm, void *stream) {
    (void)stream;
    CALLED("ncclAllReduce count=%zu dtype=%d op=%d in_place=%d", count, dtype, operation, input == output);
    const size_t bytes = count * (dtype == 9 || dtype == 6 ? 2 : 4);
    if (bytes > SLOT_BYTES || (dtype != 9 && dtype != 7)) return INVALID;
    take(comm, 1, CONNECT_BYTES);
    tell_choice(comm, bytes);
    Call *call = malloc(sizeof *call);
    *call = (Call){input, output, count, dtype, comm};
    void (*enqueue)(void (*)(void *), void *) = (void (*)(void (*)(void *), void *))driver("fake_cuda_enqueue");
    if (enqueue == NULL) run(call);
    else enqueue(run, call);
    return 0;
}

int ncclCommDestroy(Comm *comm) { CALLED("ncclCommDestroy"); give_back(comm); free(comm); return 0; }
int ncclCommAbort(Comm *comm) { CALLED("ncclCommAbort"); give_back(comm); free(comm); return 0; }
int ncclCommGetAsyncError(Comm *comm, int *result) { (void)comm; *result = told("async"); return 0; }
const char *ncclGetErrorString(int result) { return result == 5 ? "invalid usage (run with NCCL_DEBUG=WARN for details)" : result == 0 ? "no error" : "unhandled cuda error"; }
const char *ncclGetLastError(Comm *comm) { (void)comm; return last; }
void ncclResetDebugInit(void) { note("ncclResetDebugInit %s", setting("NCCL_DEBUG", "-")); }

#ifndef WITHOUT_WINDOWS
int ncclMemAlloc(void **memory, size_t bytes) { CALLED("ncclMemAlloc %zu", bytes); *memory = calloc(1, bytes); return 0; }
int ncclMemFree(void *memory) { CALLED("ncclMemFree"); free(memory); return 0; }
int ncclCommWindowRegister(Comm *comm, void *memory, size_t bytes, void **window, int flags) {
    (void)memory;
    CALLED("ncclCommWindowRegister %zu flags=%d", bytes, flags);
    comm->window = 1;
    *window = &comm->window;
    return 0;
}
int ncclCommWindowDeregister(Comm *comm, void *window) { (void)window; CALLED("ncclCommWindowDeregister"); comm->window = 0; return 0; }
#endif
