/* A libcuda.so.1 for tests without a GPU: the driver calls this program makes, over files that processes map.
 *
 * Device memory is a file in FAKE_CUDA_DIR; an IPC handle is its name. Streams run what they are given at once. A kernel of
 * an all-reduce meets the other ranks and sums their inputs in float32 in rank order (bf16 and fp32 only); a floor does
 * nothing. What was called is appended to FAKE_CUDA_DIR/calls.<pid>, one line each.
 *
 * FAKE_CUDA_GPUS        how many (default 2); 0: cuInit says there is none
 * FAKE_CUDA_DRIVER      cuDriverGetVersion (default 13000)
 * FAKE_CUDA_CAPABILITY  times ten (default 90)
 * FAKE_CUDA_BOX         first byte of every GPU's UUID (default 0)
 * FAKE_CUDA_PEERS       "no": no peer access
 * FAKE_CUDA_SMS         multiprocessors (default 132), of 4 blocks each
 * FAKE_CUDA_FAIL        NAME=CODE[@RANK_GPU]: that call returns CODE (on processes whose context is on that GPU); NAME without
 *                       _v2; "file": as the file "fail" in FAKE_CUDA_DIR says when the process first asks after a retain
 * FAKE_CUDA_PROBE       what the probe of the links finds: "wrong" data, "torn" packs, "torn8" lines, "silent" peers, "collapse" of
 *                       concurrent stores, "slow" stores; else 25 GB/s, 800 ns and no error. On the GPU whose context is current
 * FAKE_CUDA_FAULT       "yes": kernels report that a peer did not come
 * FAKE_CUDA_MISCOUNT    "yes": kernels count each call twice
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../../../../native/src/main/cuda/abi.h"

typedef int Result;
typedef struct { char name[64]; } Function;
typedef struct { unsigned grid[3], block[3], shared; void *stream; void *attributes; unsigned count; } Config;
typedef struct { Function *function; Config config; int pdl; VcParams params; VcProbe probe; void (*other)(void *); void *argument; } Node;
typedef struct { Node *nodes; size_t count; } Graph;
typedef struct { char name[40]; uint64_t bytes; } Handle;
typedef struct { char *at; uint64_t bytes; char name[40]; } Block;

enum { MAX_BLOCKS = 256 };
static Block blocks[MAX_BLOCKS];
static int current_gpu = -1, allocations;
static Graph *capturing;

static const char *setting(const char *name, const char *otherwise) {
    const char *value = getenv(name);
    return value != NULL ? value : otherwise;
}

static void note(const char *format, ...) {
    char path[512], line[512];
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(line, sizeof line - 1, format, arguments);
    va_end(arguments);
    line[n++] = '\n';
    snprintf(path, sizeof path, "%s/calls.%d", setting("FAKE_CUDA_DIR", "/tmp"), (int)getpid());
    int file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (write(file, line, (size_t)n) != n) abort();
    close(file);
}

/* FAKE_CUDA_FAIL, or what stands in its file: read anew for each context, so that a process may be told again. */
static char fail_text[128];
static int fail_read;

static const char *failing(void) {
    const char *fail = setting("FAKE_CUDA_FAIL", "");
    if (strcmp(fail, "file") != 0) return fail;
    if (fail_read) return fail_text;
    char path[512];
    snprintf(path, sizeof path, "%s/fail", setting("FAKE_CUDA_DIR", "/tmp"));
    fail_text[0] = 0;
    FILE *file = fopen(path, "r");
    if (file != NULL) {
        if (fgets(fail_text, sizeof fail_text, file) == NULL) fail_text[0] = 0;
        fclose(file);
    }
    fail_read = 1;
    return fail_text;
}

/* What a call is told to return. */
static Result told(const char *name) {
    const char *fail = failing();
    size_t n = strlen(name);
    if (n > 3 && strcmp(name + n - 3, "_v2") == 0) n -= 3;
    if (strncmp(fail, name, n) != 0 || fail[n] != '=') return 0;
    const char *at = strchr(fail, '@');
    return at != NULL && atoi(at + 1) != current_gpu ? 0 : atoi(fail + n + 1);
}

#define CALLED(...)                          \
    do {                                     \
        note(__VA_ARGS__);                   \
        const Result code_ = told(__func__); \
        if (code_ != 0) return code_;        \
    } while (0)

static double nanos(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static char *map(const char *name, uint64_t bytes, int create) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", setting("FAKE_CUDA_DIR", "/tmp"), name);
    int file = open(path, create ? O_RDWR | O_CREAT : O_RDWR, 0600);
    if (file < 0 || (create && ftruncate(file, (off_t)bytes) != 0)) return NULL;
    char *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    for (int i = 0; i < MAX_BLOCKS; i++)
        if (blocks[i].at == NULL) {
            blocks[i] = (Block){at, bytes, ""};
            snprintf(blocks[i].name, sizeof blocks[i].name, "%s", name);
            return at;
        }
    abort();
}

static Block *block_of(uint64_t address) {
    for (int i = 0; i < MAX_BLOCKS; i++)
        if ((uint64_t)blocks[i].at == address) return &blocks[i];
    return NULL;
}

static Result unmap(uint64_t address) {
    Block *b = block_of(address);
    if (b == NULL) return 1;
    munmap(b->at, b->bytes);
    b->at = NULL;
    return 0;
}

/* --- kernels --- */

static float widen(const char *tensor, uint32_t i, int bf16) {
    uint32_t bits;
    if (bf16) bits = (uint32_t)((const uint16_t *)tensor)[i] << 16;
    else bits = ((const uint32_t *)tensor)[i];
    float value;
    memcpy(&value, &bits, 4);
    return value;
}

static void narrow(char *tensor, uint32_t i, int bf16, float value) {
    uint32_t bits;
    memcpy(&bits, &value, 4);
    if (bf16) ((uint16_t *)tensor)[i] = (uint16_t)((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
    else ((uint32_t *)tensor)[i] = bits;
}

static void meet(const VcParams *p, uint32_t word, uint32_t epoch) {
    const int board = p->region[0] == p->region[p->world - 1];
    for (uint32_t r = 0; r < p->world; r++) {
        _Atomic uint32_t *flag = (_Atomic uint32_t *)(p->region[r] + (board ? 0 : VC_FLAGS_OFFSET)) + word * VC_MAX_WORLD + p->rank;
        atomic_store(flag, epoch);
    }
    for (uint32_t r = 0; r < p->world; r++) {
        _Atomic uint32_t *flag = (_Atomic uint32_t *)(p->region[p->rank] + (board ? 0 : VC_FLAGS_OFFSET)) + word * VC_MAX_WORLD + r;
        while ((int32_t)(atomic_load(flag) - epoch) < 0) sched_yield();
    }
}

/* Nobody is waited for: each side's result is what the GPUs would have left. */
static void run_probe(const char *name, const Node *node) {
    const VcProbe *p = &node->probe;
    VcProbeResult *result = (VcProbeResult *)p->result;
    VcProbeControl *own = (VcProbeControl *)p->own;
    const char *finds = setting("FAKE_CUDA_PROBE", "nothing");
    const int store = strstr(name, "store") != NULL, together = p->gate != 0;
    if (strcmp(name, "vc_probe_flag") == 0) result->nanos = (uint64_t)p->rounds * 2 * 800;
    if (strcmp(name, "vc_probe_flag") == 0 && strcmp(finds, "silent") == 0) result->code = VC_FAULT_DEADLINE;
    if (store || strstr(name, "load") != NULL) {
        double rate = store && strcmp(finds, "slow") == 0 ? 2.5 : 25;
        if (store && together && strcmp(finds, "collapse") == 0) rate = 2.5;
        for (unsigned b = 0; b < node->config.grid[0]; b++) result->block[b].start = 1000, result->block[b].end = 1000 + (uint64_t)((double)p->bytes * p->rounds / rate);
    }
    if (strstr(name, "check") != NULL) {
        result->calls = ++own->epoch;
        result->wrong = strcmp(finds, "wrong") == 0 ? 3 : 0;
    }
    if (strstr(name, "tear_read") != NULL) {
        result->calls = 1;
        result->torn = (p->width == 16 && strcmp(finds, "torn") == 0) || (p->width == 8 && strcmp(finds, "torn8") == 0) ? 5 : 0;
    }
}

static void run(const Node *node) {
    if (node->other != NULL) {
        node->other(node->argument);
        return;
    }
    if (strncmp(node->function->name, "vc_probe", 8) == 0) {
        run_probe(node->function->name, node);
        return;
    }
    const VcParams *p = &node->params;
    const char *name = node->function->name;
    if (strcmp(setting("FAKE_CUDA_FAULT", "no"), "yes") == 0) {
        *(VcFault *)p->fault = (VcFault){VC_FAULT_DEADLINE, p->rank, (p->rank + 1) % p->world, 1, 2, 3, 4, 5};
        return;
    }
    if (p->version != VC_ABI_VERSION || p->packs == 0 || p->packs > p->capacity || node->config.grid[0] > p->max_blocks) abort();
    if (strstr(name, "floor") != NULL) return;
    VcEntry *entry = (VcEntry *)(p->control + VC_ENTRIES_OFFSET);
    entry->epoch++;
    const int host = strstr(name, "host_") != NULL, bf16 = strstr(name, "bf16") != NULL;
    const uint64_t bytes = (uint64_t)p->packs * 16;
    const char *inputs[VC_MAX_WORLD];
    for (uint32_t r = 0; r < p->world; r++)
        inputs[r] = (const char *)(host ? p->region[0] + 128 + r * bytes : p->peer_input[r]);
    if (host) memcpy((char *)inputs[p->rank], (const char *)p->input, bytes);
    meet(p, 0, entry->epoch);
    for (uint32_t i = 0; i < bytes / (bf16 ? 2 : 4); i++) {
        float sum = widen(inputs[0], i, bf16);
        for (uint32_t r = 1; r < p->world; r++) sum += widen(inputs[r], i, bf16);
        narrow((char *)p->output, i, bf16, sum);
    }
    meet(p, 1, entry->epoch);
    if (strcmp(setting("FAKE_CUDA_MISCOUNT", "no"), "yes") == 0) entry->epoch++;
}

Result cuLaunchKernelEx(const Config *config, Function *function, void **parameters, void **extra) {
    (void)extra;
    Node node = {.function = function, .config = *config};
    if (strncmp(function->name, "vc_probe", 8) == 0) node.probe = *(const VcProbe *)parameters[0];
    else node.params = *(const VcParams *)parameters[0];
    for (unsigned i = 0; i < config->count; i++) node.pdl |= *(const int *)((const char *)config->attributes + 72 * i) == 6;
    CALLED("cuLaunchKernelEx %s %ux%u pdl=%d captured=%d input=%llx", function->name, config->grid[0], config->block[0],
           node.pdl, capturing != NULL, (unsigned long long)(node.params.input - node.params.control));
    if (capturing == NULL) {
        run(&node);
        return 0;
    }
    capturing->nodes = realloc(capturing->nodes, (capturing->count + 1) * sizeof(Node));
    capturing->nodes[capturing->count++] = node;
    return 0;
}

/* Of vc_spin only. */
Result cuLaunchKernel(Function *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, void *stream,
                      void **parameters, void **extra) {
    (void)gy, (void)gz, (void)by, (void)bz, (void)shared, (void)stream, (void)extra;
    const VcSpin *spin = parameters[0];
    CALLED("cuLaunchKernel %s %ux%u nanos=%llu", function->name, gx, bx, (unsigned long long)spin->nanos);
    if (strcmp(function->name, "vc_spin") != 0) abort();
    for (const double start = nanos(); nanos() - start < (double)spin->nanos;) sched_yield();
    return 0;
}

/* Another fake library's work on the stream: done at once, or a node of the graph. */
void fake_cuda_enqueue(void (*work)(void *), void *argument) {
    if (capturing == NULL) {
        work(argument);
        return;
    }
    capturing->nodes = realloc(capturing->nodes, (capturing->count + 1) * sizeof(Node));
    capturing->nodes[capturing->count++] = (Node){.other = work, .argument = argument};
}

/* --- device, context, module --- */

Result cuInit(unsigned flags) {
    (void)flags;
    CALLED("cuInit mps=%s loading=%s", setting("CUDA_MPS_PIPE_DIRECTORY", "-"), setting("CUDA_MODULE_LOADING", "-"));
    return atoi(setting("FAKE_CUDA_GPUS", "2")) == 0 ? 100 : 0;
}
Result cuDriverGetVersion(int *version) { *version = atoi(setting("FAKE_CUDA_DRIVER", "13000")); return 0; }
Result cuDeviceGetCount(int *count) { *count = atoi(setting("FAKE_CUDA_GPUS", "2")); return told(__func__); }
Result cuDeviceGet(int *device, int ordinal) { *device = ordinal; return 0; }
Result cuDeviceGetName(char *name, int length, int device) { (void)device; snprintf(name, (size_t)length, "Fake GPU"); return 0; }
Result cuDeviceTotalMem_v2(size_t *bytes, int device) { (void)device; *bytes = (size_t)1 << 33; return 0; }
Result cuDeviceGetPCIBusId(char *id, int length, int device) { snprintf(id, (size_t)length, "0000:%02x:00.0", device + 1); return 0; }
Result cuDeviceGetUuid(unsigned char *uuid, int device) {
    if (told(__func__) != 0) return told(__func__);
    for (int i = 0; i < 16; i++) uuid[i] = (unsigned char)(16 * device + i);
    uuid[0] = (unsigned char)atoi(setting("FAKE_CUDA_BOX", "0"));
    return 0;
}
Result cuDeviceCanAccessPeer(int *can, int device, int peer) {
    (void)device, (void)peer;
    *can = strcmp(setting("FAKE_CUDA_PEERS", "yes"), "no") != 0;
    return 0;
}
Result cuDeviceGetAttribute(int *value, int attribute, int device) {
    (void)device;
    const int capability = atoi(setting("FAKE_CUDA_CAPABILITY", "90"));
    *value = attribute == 75 ? capability / 10 : attribute == 76 ? capability % 10 : attribute == 16 ? atoi(setting("FAKE_CUDA_SMS", "132")) : 0;
    return 0;
}
Result cuDevicePrimaryCtxRetain(void **context, int device) {
    current_gpu = device;
    fail_read = 0;
    CALLED("cuDevicePrimaryCtxRetain %d", device);
    *context = (void *)(uintptr_t)(device + 1);
    return 0;
}
Result cuDevicePrimaryCtxRelease_v2(int device) { CALLED("cuDevicePrimaryCtxRelease %d", device); return 0; }
Result cuCtxSetCurrent(void *context) { (void)context; return told(__func__); }
Result cuCtxEnablePeerAccess(void *peer, unsigned flags) { (void)flags; CALLED("cuCtxEnablePeerAccess %d", (int)(uintptr_t)peer - 1); return 0; }
Result cuModuleLoadData(void **module, const void *image) { (void)image; CALLED("cuModuleLoadData"); *module = (void *)1; return 0; }
Result cuModuleUnload(void *module) { (void)module; CALLED("cuModuleUnload"); return 0; }
Result cuModuleGetFunction(Function **function, void *module, const char *name) {
    (void)module;
    if (told(__func__) != 0) return told(__func__);
    *function = calloc(1, sizeof(Function));
    snprintf((*function)->name, sizeof (*function)->name, "%s", name);
    return 0;
}
Result cuOccupancyMaxActiveBlocksPerMultiprocessor(int *count, Function *function, int threads, size_t shared) {
    (void)function, (void)threads, (void)shared;
    *count = 4;
    return told(__func__);
}

/* --- memory --- */

Result cuMemAlloc_v2(uint64_t *address, size_t bytes) {
    CALLED("cuMemAlloc %zu", bytes);
    char name[40];
    snprintf(name, sizeof name, "memory.%d.%d", (int)getpid(), allocations++);
    *address = (uint64_t)map(name, bytes, 1);
    return *address == 0 ? 2 : 0;
}
Result cuMemGetInfo_v2(size_t *free_bytes, size_t *bytes) {
    *bytes = (size_t)1 << 33;
    *free_bytes = *bytes;
    for (int i = 0; i < MAX_BLOCKS; i++)
        if (blocks[i].at != NULL) *free_bytes -= blocks[i].bytes;
    return told(__func__);
}
Result cuMemFree_v2(uint64_t address) {
    CALLED("cuMemFree");
    return unmap(address);
}
Result cuMemHostAlloc(void **memory, size_t bytes, unsigned flags) { (void)flags; CALLED("cuMemHostAlloc %zu", bytes); *memory = calloc(1, bytes); return 0; }
Result cuMemFreeHost(void *memory) { CALLED("cuMemFreeHost"); free(memory); return 0; }
Result cuMemHostRegister_v2(void *memory, size_t bytes, unsigned flags) { (void)memory, (void)flags; CALLED("cuMemHostRegister %zu", bytes); return 0; }
Result cuMemHostUnregister(void *memory) { (void)memory; CALLED("cuMemHostUnregister"); return 0; }
Result cuMemHostGetDevicePointer_v2(uint64_t *address, void *memory, unsigned flags) { (void)flags; *address = (uint64_t)memory; return told(__func__); }
Result cuMemsetD8Async(uint64_t address, unsigned char value, size_t bytes, void *stream) {
    (void)stream;
    CALLED("cuMemsetD8Async %02x %zu", value, bytes);
    memset((void *)address, value, bytes);
    return 0;
}
Result cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes, void *stream) { (void)stream; memcpy((void *)to, from, bytes); return told(__func__); }
Result cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, void *stream) { (void)stream; memcpy(to, (void *)from, bytes); return told(__func__); }
Result cuIpcGetMemHandle(Handle *handle, uint64_t address) {
    CALLED("cuIpcGetMemHandle");
    const Block *b = block_of(address);
    if (b == NULL) return 1;
    memset(handle, 0, 64);
    memcpy(handle->name, b->name, sizeof handle->name);
    handle->bytes = b->bytes;
    return 0;
}
typedef struct { Handle handle; char rest[64 - sizeof(Handle)]; } IpcHandle;
Result open_handle(uint64_t *address, IpcHandle handle, unsigned flags) __asm__("cuIpcOpenMemHandle_v2");
Result open_handle(uint64_t *address, IpcHandle handle, unsigned flags) {
    (void)flags;
    note("cuIpcOpenMemHandle %s", handle.handle.name);
    if (told("cuIpcOpenMemHandle") != 0) return told("cuIpcOpenMemHandle");
    *address = (uint64_t)map(handle.handle.name, handle.handle.bytes, 0);
    return *address == 0 ? 1 : 0;
}
Result cuIpcCloseMemHandle(uint64_t address) {
    CALLED("cuIpcCloseMemHandle");
    return unmap(address);
}

/* --- streams, events, graphs --- */

Result cuStreamCreate(void **stream, unsigned flags) { CALLED("cuStreamCreate %u", flags); *stream = malloc(1); return 0; }
Result cuStreamDestroy_v2(void *stream) { CALLED("cuStreamDestroy"); free(stream); return 0; }
Result cuStreamQuery(void *stream) { (void)stream; return told(__func__); }
Result cuStreamSynchronize(void *stream) { (void)stream; return told(__func__); }
Result cuStreamBeginCapture_v2(void *stream, int mode) { (void)stream; CALLED("cuStreamBeginCapture %d", mode); capturing = calloc(1, sizeof(Graph)); return 0; }
Result cuStreamEndCapture(void *stream, Graph **graph) {
    (void)stream;
    CALLED("cuStreamEndCapture %zu", capturing->count);
    *graph = capturing;
    capturing = NULL;
    return 0;
}
Result cuGraphInstantiateWithFlags(Graph **executable, Graph *graph, unsigned long long flags) {
    (void)flags;
    CALLED("cuGraphInstantiate %zu", graph->count);
    *executable = malloc(sizeof(Graph));
    **executable = (Graph){malloc(graph->count * sizeof(Node)), graph->count};
    memcpy((*executable)->nodes, graph->nodes, graph->count * sizeof(Node));
    return 0;
}
Result cuGraphUpload(Graph *graph, void *stream) { (void)graph, (void)stream; CALLED("cuGraphUpload"); return 0; }
Result cuGraphLaunch(Graph *graph, void *stream) {
    (void)stream;
    CALLED("cuGraphLaunch %zu", graph->count);
    for (size_t i = 0; i < graph->count; i++) run(&graph->nodes[i]);
    return 0;
}
Result cuGraphExecDestroy(Graph *graph) { CALLED("cuGraphExecDestroy"); free(graph->nodes); free(graph); return 0; }
Result cuGraphDestroy(Graph *graph) { CALLED("cuGraphDestroy"); free(graph->nodes); free(graph); return 0; }
Result cuEventCreate(double **event, unsigned flags) { CALLED("cuEventCreate %u", flags); *event = calloc(1, sizeof(double)); return 0; }
Result cuEventDestroy_v2(double *event) { CALLED("cuEventDestroy"); free(event); return 0; }
Result cuEventRecord(double *event, void *stream) { (void)stream; *event = nanos(); return told(__func__); }
Result cuEventQuery(const double *event) { (void)event; return told(__func__); }
Result cuEventElapsedTime(float *milliseconds, const double *start, const double *end) { *milliseconds = (float)((*end - *start) / 1e6); return told(__func__); }

/* --- errors --- */

Result cuGetErrorName(Result code, const char **name) {
    *name = code == 1 ? "CUDA_ERROR_INVALID_VALUE" : code == 2 ? "CUDA_ERROR_OUT_OF_MEMORY" : code == 100 ? "CUDA_ERROR_NO_DEVICE"
          : code == 209 ? "CUDA_ERROR_NO_BINARY_FOR_GPU" : code == 719 ? "CUDA_ERROR_LAUNCH_FAILED" : NULL;
    return *name == NULL ? 1 : 0;
}
Result cuGetErrorString(Result code, const char **text) {
    *text = code == 1 ? "invalid argument" : code == 2 ? "out of memory" : code == 100 ? "no CUDA-capable device is detected"
          : code == 209 ? "no kernel image is available for execution on the device" : code == 719 ? "unspecified launch failure" : NULL;
    return *text == NULL ? 1 : 0;
}
