package org.verifycycle.rank;

import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A daemon thread that ends this process when it must not live on. It looks every 50 ms: a process whose parent died, or
 * whose group was told to end and whose main thread does not come out of its wait, is gone well within 5 s.
 */
final class Watchdog implements AutoCloseable {
    /** Exit status of a process that was ended, not one that ended. */
    static final int HALT_STATUS = 3;
    private static final long LOOK_EVERY_MILLIS = 50;
    private static final long GRACE_NANOS = 1_500_000_000L;

    private final Supplier<Optional<String>> parentGone;
    private final Supplier<Optional<String>> groupEnded;
    private final Consumer<String> lastWill;
    private final Thread thread;
    private volatile boolean closed;

    /**
     * @param parentGone why the process must end at once, if it must
     * @param groupEnded why the group has to end, if it has; the process gets a short time to say so itself
     * @param lastWill   given the reason before the process is halted
     */
    Watchdog(final Supplier<Optional<String>> parentGone, final Supplier<Optional<String>> groupEnded, final Consumer<String> lastWill) {
        this.parentGone = parentGone;
        this.groupEnded = groupEnded;
        this.lastWill = lastWill;
        thread = new Thread(this::watch, "watchdog");
        thread.setDaemon(true);
        thread.start();
    }

    private void watch() {
        long endedAt = 0;
        while (!closed) {
            parentGone.get().ifPresent(this::halt);
            final var ended = groupEnded.get();
            if (ended.isPresent()) {
                endedAt = endedAt == 0 ? System.nanoTime() : endedAt;
                if (System.nanoTime() - endedAt > GRACE_NANOS) {
                    halt(ended.get());
                }
            }
            try {
                Thread.sleep(LOOK_EVERY_MILLIS);
            } catch (final InterruptedException e) {
                return;
            }
        }
    }

    private void halt(final String reason) {
        try {
            lastWill.accept(reason);
        } finally {
            Runtime.getRuntime().halt(HALT_STATUS);
        }
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }
}
