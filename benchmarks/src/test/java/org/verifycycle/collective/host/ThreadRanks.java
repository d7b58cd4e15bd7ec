package org.verifycycle.collective.host;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicReference;

/** Threads of this JVM as ranks over one buffer: fast, and every interleaving of processes is one of threads. */
final class ThreadRanks {
    private ThreadRanks() {
    }

    interface Body {
        void run(GroupControl group) throws Exception;
    }

    static ByteBuffer memory(final long sharedBytes) {
        return ByteBuffer.allocateDirect(Math.toIntExact(GroupControl.SHARED_OFFSET + sharedBytes + 4096)).alignedSlice(4096);
    }

    /** Runs the body on every rank; the first failure ends the group and is thrown. */
    static void run(final int world, final ByteBuffer memory, final Body body) throws InterruptedException {
        final var failure = new AtomicReference<Throwable>();
        final var threads = new ArrayList<Thread>();
        for (var rank = 0; rank < world; rank++) {
            final var group = new GroupControl(rank, world, memory);
            threads.add(new Thread(() -> {
                try {
                    body.run(group);
                } catch (final Throwable e) {
                    failure.compareAndSet(null, e);
                    GroupControl.end(memory);
                }
            }, "rank-" + rank));
        }
        threads.forEach(Thread::start);
        try {
            for (final var thread : threads) {
                thread.join();
            }
        } finally {
            GroupControl.end(memory); // a test that timed out leaves no spinning threads
        }
        if (failure.get() instanceof Error error) {
            throw error;
        }
        if (failure.get() != null) {
            throw new AssertionError(failure.get());
        }
    }
}
