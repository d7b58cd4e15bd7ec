/*
 * MPI_Allreduce in the loop of allreduce_c.c: same cycle, same rotating buffers, same group time.
 *
 *   mpirun -n 2 --bind-to core allreduce_mpi BYTES CYCLES
 */
#include <mpi.h>

#include "measure.h"

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank, world;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world);
    if (argc != 3) {
        fprintf(stderr, "usage: %s BYTES CYCLES\n", argv[0]);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    const size_t elements = strtoul(argv[1], NULL, 10) / sizeof(float);
    const int cycles = atoi(argv[2]);
    struct buffers b = make_buffers(rank, elements);
    long *start = malloc((size_t)cycles * sizeof(long)), *end = malloc((size_t)cycles * sizeof(long));
    for (int c = -cycles / 2; c < cycles; c++) {
        MPI_Barrier(MPI_COMM_WORLD);
        const long from = now_nanos();
        for (int i = 0; i < CALLS; i++)
            MPI_Allreduce(b.in[i % BUFFER_SETS], b.out[i % BUFFER_SETS], (int)elements, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
        const long to = now_nanos();
        if (c >= 0) {
            start[c] = from;
            end[c] = to;
        }
    }
    check_buffers(&b, elements, world);
    long *starts = malloc((size_t)(world * cycles) * sizeof(long)), *ends = malloc((size_t)(world * cycles) * sizeof(long));
    MPI_Gather(start, cycles, MPI_LONG, starts, cycles, MPI_LONG, 0, MPI_COMM_WORLD);
    MPI_Gather(end, cycles, MPI_LONG, ends, cycles, MPI_LONG, 0, MPI_COMM_WORLD);
    if (rank == 0)
        print_group_times(starts, ends, world, cycles);
    MPI_Finalize();
    return 0;
}
