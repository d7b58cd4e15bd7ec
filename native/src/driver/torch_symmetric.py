#!/usr/bin/env python3
"""Times PyTorch's symmetric-memory all-reduces as nccl_loop.cu times NCCL: a CUDA graph of `calls` calls between processes.

One process per GPU, world = number of GPUs (or --world). Inputs are in symmetric memory already: a model that has them
elsewhere pays for a copy too. NVLink multicast is off (TORCH_SYMM_MEM_DISABLE_MULTICAST=1), whatever the environment says.

    cycle     the graph replayed, nothing queued before it
    lined-up  the same behind a spin and one more call, so that neither the hosts' lateness nor the launch is in the device time

One CSV line per operation, size and method, us per call; us_median .. us_min are of the longest of the ranks' device times,
us_group is the median of the host's last end - last start. Sums are checked before and after timing.

    world,torch,operation,dtype,bytes,method,calls,samples,us_median,us_p05,us_p95,us_min,us_group,state

Exit codes: 0 ok, 1 usage, 2 a wrong sum, a failure or the time limit: then nothing but what was finished before is printed.
"""
import argparse
import ctypes
import os
import queue
import socket
import statistics
import sys
import time
from multiprocessing import get_context

OPERATIONS = ("one_shot_all_reduce", "two_shot_all_reduce")
METHODS = ("cycle", "lined-up")
COLUMNS = "world,torch,operation,dtype,bytes,method,calls,samples,us_median,us_p05,us_p95,us_min,us_group,state"
SPIN_CYCLES = 60_000  # about 30 us
SECONDS_TO_DIE = 5


class Ranks:
    """Spinning barriers between the ranks, with a deadline: multiprocessing's own wake tens of microseconds late."""

    def __init__(self, arrived, rank, deadline):
        self.arrived, self.rank, self.deadline = arrived, rank, deadline
        self.epoch = 0

    def barrier(self):
        self.epoch += 1
        self.arrived[self.rank] = self.epoch
        for peer in range(len(self.arrived)):
            while self.arrived[peer] < self.epoch:
                if time.monotonic() > self.deadline:
                    raise TimeoutError(f"rank {self.rank} waited for rank {peer} until the time limit")


class Operation:
    """One all-reduce over one size, in several buffers that calls take in turn."""

    def __init__(self, torch, symm_mem, name, elements, sets, device, group):
        self.torch, self.name, self.group = torch, name, group
        self.inputs = [symm_mem.empty(elements, dtype=torch.bfloat16, device=device) for _ in range(sets)]
        for tensor in self.inputs:
            symm_mem.rendezvous(tensor, group)
        self.outputs = [torch.empty(elements, dtype=torch.bfloat16, device=device) for _ in range(sets)]

    def call(self, index):
        at = index % len(self.inputs)
        ops = self.torch.ops.symm_mem
        if self.name == "one_shot_all_reduce":
            ops.one_shot_all_reduce_out(self.inputs[at], "sum", self.group, self.outputs[at])
        else:
            ops.two_shot_all_reduce_(self.inputs[at], "sum", self.group)

    def result(self, at):
        return self.outputs[at] if self.name == "one_shot_all_reduce" else self.inputs[at]

    def payload(self, rank, seed):
        """Small integers: their sum is exact in bf16 in any order."""
        index = self.torch.arange(self.inputs[0].numel(), device=self.inputs[0].device)
        return ((index * (rank + 1) + 5 * rank + seed) % 17 - 8).to(self.torch.bfloat16)

    def check(self, ranks, world, seed):
        for at, tensor in enumerate(self.inputs):
            tensor.copy_(self.payload(ranks.rank, seed + at))
            self.outputs[at].fill_(float("nan"))
        self.torch.cuda.synchronize()
        ranks.barrier()
        for at in range(len(self.inputs)):
            self.call(at)
        self.torch.cuda.synchronize()
        for at in range(len(self.inputs)):
            want = sum(self.payload(rank, seed + at).float() for rank in range(world))
            wrong = int((self.result(at).float() != want).sum())
            if wrong:
                raise ArithmeticError(f"rank {ranks.rank}: {self.name}, {wrong} of {want.numel()} elements are wrong")
        ranks.barrier()
        for tensor in self.inputs:  # in place, sums of anything else would overflow while they are timed
            tensor.zero_()
        self.torch.cuda.synchronize()
        ranks.barrier()


def timed(torch, operation, ranks, options):
    """Per method a list of (device ns, host start ns, host end ns) of this rank."""
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        for index in range(3):
            operation.call(index)
    stream.synchronize()
    ranks.barrier()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=stream, capture_error_mode="thread_local"):
        for index in range(options.calls):
            operation.call(index)
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    samples = {method: [] for method in METHODS}
    with torch.cuda.stream(stream):
        for number in range(options.warmup + options.replays):
            for method in METHODS:
                ranks.barrier()
                if method == "lined-up":
                    torch.cuda._sleep(SPIN_CYCLES)
                    operation.call(0)
                began = time.monotonic_ns()
                start.record(stream)
                graph.replay()
                end.record(stream)
                while not end.query():
                    pass
                ended = time.monotonic_ns()
                if number >= options.warmup:
                    samples[method].append((start.elapsed_time(end) * 1e6, began, ended))
    return samples


def rank_main(rank, world, address, arrived, deadline, options, results):
    """One rank: puts (rank, operation, bytes, method, samples) on the queue, then (rank, None, reason or None)."""
    try:
        os.environ["TORCH_SYMM_MEM_DISABLE_MULTICAST"] = "1"
        os.environ.setdefault("NCCL_NVLS_ENABLE", "0")
        import torch
        import torch.distributed as dist
        import torch.distributed._symmetric_memory as symm_mem

        torch.cuda.set_device(rank)
        device = torch.device("cuda", rank)
        dist.init_process_group("nccl", init_method=address, rank=rank, world_size=world)
        group = dist.group.WORLD.group_name
        ranks = Ranks(arrived, rank, deadline)
        for size in options.bytes:
            for name in options.operations:
                elements = size // 2
                if name == "two_shot_all_reduce" and size % (16 * world):
                    results.put((rank, name, size, None, "skipped"))
                    continue
                operation = Operation(torch, symm_mem, name, elements, options.sets, device, group)
                ranks.barrier()
                operation.check(ranks, world, 0)
                samples = timed(torch, operation, ranks, options)
                operation.check(ranks, world, 1000)
                for method, taken in samples.items():
                    results.put((rank, name, size, method, taken))
        ranks.barrier()
        results.put((rank, None, None, None, None))
    except BaseException as e:  # whatever it is, the parent has to know
        results.put((rank, None, None, None, f"{type(e).__name__}: {e}"))
        results.close()
        results.join_thread()
        os._exit(1)
    # The group's own end would wait for NCCL, which was never used.
    results.close()
    results.join_thread()
    os._exit(0)


def row(world, version, name, size, method, options, per_rank):
    device, group = [], []
    for cycle in zip(*per_rank):
        device.append(max(sample[0] for sample in cycle) / 1e3 / options.calls)
        group.append((max(s[2] for s in cycle) - max(s[1] for s in cycle)) / 1e3 / options.calls)
    device.sort()

    def quantile(q):
        return device[int(q * (len(device) - 1) + 0.5)]

    return (f"{world},{version},{name},bf16,{size},{method},{options.calls},{len(device)},{quantile(0.5):.4f},{quantile(0.05):.4f},"
            f"{quantile(0.95):.4f},{device[0]:.4f},{statistics.median(group):.4f},ok")


def positive(text):
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is not positive")
    return value


def sizes(text):
    values = [int(part) for part in text.split(",")]
    for value in values:
        if value < 16 or value % 16 or value > 64 << 20:
            raise argparse.ArgumentTypeError(f"{value} is not a multiple of 16 up to 64 MiB")
    return values


def operations(text):
    names = text.split(",")
    for name in names:
        if name not in OPERATIONS:
            raise argparse.ArgumentTypeError(f"unknown operation {name}; known: {', '.join(OPERATIONS)}")
    return names


class Parser(argparse.ArgumentParser):
    def error(self, message):
        self.exit(1, f"{message}\n{self.format_usage()}")


def parse(arguments):
    parser = Parser(description="Times torch.ops.symm_mem all-reduces in a CUDA graph.")
    parser.add_argument("--world", type=positive, help="ranks, one GPU each (default: all GPUs)")
    parser.add_argument("--bytes", type=sizes, default=[43008], metavar="n,n", help="tensor sizes (default: 43008)")
    parser.add_argument("--operations", type=operations, default=list(OPERATIONS), metavar="a,b", help="default: " + ",".join(OPERATIONS))
    parser.add_argument("--calls", type=positive, default=122)
    parser.add_argument("--sets", type=positive, default=4, help="buffers that calls take in turn")
    parser.add_argument("--replays", type=positive, default=200)
    parser.add_argument("--warmup", type=positive, default=20)
    parser.add_argument("--limit-s", type=positive, default=120, help="all ranks are ended then")
    return parser.parse_args(arguments)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def collect(results, processes, deadline, on_result):
    """Until all ranks have said that they are done. Returns the reason if one failed, was silent too long or died."""
    done = set()
    while len(done) < len(processes):
        if time.monotonic() > deadline + 1:
            return f"the time limit is over; rank {min(set(range(len(processes))) - done)} is not done"
        try:
            rank, name, size, method, value = results.get(timeout=0.2)
        except queue.Empty:
            dead = [rank for rank, p in enumerate(processes) if rank not in done and p.exitcode not in (None, 0)]
            if dead:
                return f"rank {dead[0]} ended with {processes[dead[0]].exitcode} and said nothing"
            continue
        if name is not None:
            on_result(rank, name, size, method, value)
        elif value is not None:
            return f"rank {rank}: {value}"
        else:
            done.add(rank)
    return None


def end(processes):
    for process in processes:
        process.join(0.5)
        if process.is_alive():
            process.kill()
    for process in processes:
        process.join(SECONDS_TO_DIE)


def main(arguments):
    options = parse(arguments)
    try:
        import torch
    except ImportError as e:
        print(f"no PyTorch here: {e}", file=sys.stderr)
        return 1
    world = options.world or torch.cuda.device_count()
    if world < 2 or world > torch.cuda.device_count():
        print(f"world {world} needs as many GPUs and at least 2; there are {torch.cuda.device_count()}", file=sys.stderr)
        return 1
    context = get_context("spawn")
    deadline = time.monotonic() + options.limit_s
    arrived = context.RawArray(ctypes.c_uint64, world)
    results = context.Queue()
    address = f"tcp://127.0.0.1:{free_port()}"
    processes = [context.Process(target=rank_main, args=(rank, world, address, arrived, deadline, options, results), daemon=True)
                 for rank in range(world)]
    waiting = {}
    print(COLUMNS, flush=True)

    def on_result(rank, name, size, method, value):
        if method is None:
            if rank == 0:
                print(f"{world},{torch.__version__},{name},bf16,{size},,{options.calls},0,,,,,,skipped: not a multiple of 16 x ranks", flush=True)
            return
        taken = waiting.setdefault((name, size, method), {})
        taken[rank] = value
        if len(taken) == world:
            print(row(world, torch.__version__, name, size, method, options, [taken[r] for r in range(world)]), flush=True)

    try:
        for process in processes:
            process.start()
        reason = collect(results, processes, deadline, on_result)
    finally:
        end(processes)
    if reason is not None:
        print(f"FAILED: {reason}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
