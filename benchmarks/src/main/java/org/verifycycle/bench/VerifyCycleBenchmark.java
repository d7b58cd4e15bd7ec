package org.verifycycle.bench;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

import java.util.concurrent.TimeUnit;

/**
 * One invocation is one verify cycle: {@code calls} all-reduces in sequence, by all ranks of a group.
 *
 * <p>The fork is rank 0. JMH decides, by time, how many cycles there are; rank 0 publishes each one and the other ranks,
 * which are processes of their own, follow. JMH's score is rank 0's time from publishing a cycle until the last rank has
 * finished it; the group time, which excludes the publishing, is in the secondary results.
 *
 * <p>Rules for a valid run: nothing else on the cores the ranks use; more rounds (forks), not longer ones, for a narrower
 * interval, since most of the variance is between processes.
 */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(value = 5, jvmArgsAppend = {GroupState.SERIAL_GC, GroupState.NO_PERF_DATA, GroupState.NATIVE_ACCESS})
@Warmup(iterations = 3, time = 150, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 3, time = 200, timeUnit = TimeUnit.MILLISECONDS)
public class VerifyCycleBenchmark {
    /** One verify cycle. */
    @Benchmark
    public void cycle(final GroupState group) {
        group.cycle();
    }
}
