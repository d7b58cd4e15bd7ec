package org.verifycycle.bench;

import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.runner.IterationType;
import org.verifycycle.collective.CollectiveSpec;
import org.verifycycle.collective.Configuration;
import org.verifycycle.collective.DeclinedException;
import org.verifycycle.collective.Dtype;
import org.verifycycle.collective.Launch;
import org.verifycycle.collective.Skew;
import org.verifycycle.rank.RankGroup;
import org.verifycycle.rank.WrongResultException;
import org.verifycycle.result.RoundResult.Status;

import java.util.List;

/** The ranks of one configuration: started, checked, timed, checked again, ended. */
@State(Scope.Benchmark)
public class GroupState {
    /** A collector with threads of its own would compete with the ranks for cores; nothing is allocated in a cycle. */
    static final String SERIAL_GC = "-XX:+UseSerialGC";
    /** The performance counters' file is written at safepoints, and a slow disk then stalls a rank. */
    static final String NO_PERF_DATA = "-XX:-UsePerfData";
    /** Newer JVMs warn of every library that JNA and JCuda load, unless it is allowed beforehand; it is known since 17. */
    static final String NATIVE_ACCESS = "--enable-native-access=ALL-UNNAMED";
    static final List<String> JVM_OPTIONS = List.of(SERIAL_GC, NO_PERF_DATA, NATIVE_ACCESS);
    private static final int CHECKS_BEFORE = 4;
    /** One fewer: what the timed cycles left is checked too. */
    private static final int CHECKS_AFTER = 3;
    private static final long SEED_BEFORE = 1_000;
    private static final long SEED_AFTER = 2_000;

    @Param({"host/ring", "host/one-shot-pull", "host/two-shot-pull", "host/one-shot-ll", "host/two-shot-ll", "host/flag-exchange"})
    public String collective;

    @Param("2")
    public int world;

    @Param("43008")
    public int bytes;

    @Param("fp32")
    public String dtype;

    @Param("eager")
    public String launch;

    @Param("122")
    public int calls;

    /** How late one rank is made to come to every cycle, e.g. {@code 20us}. */
    @Param("0")
    public String skew;

    private final Handover handover = Handover.fromProperties();
    private RankGroup group;

    /** Starts the ranks and checks the collective. */
    @Setup(Level.Trial)
    public void open() {
        guarded(() -> {
            final var configuration = new Configuration(CollectiveSpec.parse(collective), world, bytes, Dtype.parse(dtype), Launch.parse(launch), calls,
                    Skew.parse(skew));
            group = new RankGroup(configuration, handover.sharedFolder(), handover.launcher(), this::tell);
            handover.notes(group.notes());
            handover.memory(group.memory());
            check(SEED_BEFORE, CHECKS_BEFORE);
        });
    }

    void cycle() {
        try {
            group.cycle();
        } catch (final RuntimeException | LinkageError e) {
            // The group was ended, or rank 0's own device failed.
            fail(e);
            throw e;
        }
    }

    /** Takes the times of the iteration, before anything else runs on the ranks. */
    @TearDown(Level.Iteration)
    public void harvest(final IterationParams iteration) {
        final var harvest = group.harvest();
        LastIteration.set(harvest);
        if (iteration.getType() == IterationType.MEASUREMENT) {
            handover.add(harvest);
        } else {
            // What is there in the end is to be of cycles that were timed.
            group.poison();
        }
    }

    /** Checks what was left and again, ends the ranks, hands the samples over. */
    @TearDown(Level.Trial)
    public void close() {
        guarded(() -> {
            group.checkLeft();
            check(SEED_AFTER, CHECKS_AFTER);
            group.close();
            handover.succeed();
        });
    }

    private void check(final long seed, final int checks) {
        for (int i = 0; i < checks; i++) {
            group.check(seed + i);
        }
    }

    private void guarded(final Runnable step) {
        try {
            step.run();
        } catch (final Throwable e) {
            fail(e);
            throw e;
        }
    }

    private void fail(final Throwable cause) {
        try {
            tell(cause);
        } finally {
            if (group != null) {
                group.close();
            }
        }
    }

    private void tell(final Throwable cause) {
        final var reason = cause.getMessage() == null ? cause.toString() : cause.getMessage();
        if (cause instanceof DeclinedException) {
            handover.decline(reason);
        } else {
            handover.fail(cause instanceof WrongResultException ? Status.WRONG : Status.FAILED, reason);
        }
    }
}
