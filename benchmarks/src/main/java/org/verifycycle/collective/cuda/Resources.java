package org.verifycycle.collective.cuda;

import java.util.ArrayDeque;
import java.util.Deque;

/** What has to be given back, in the reverse of the order it was taken in; once. */
final class Resources implements AutoCloseable {
    private final Deque<Runnable> closings = new ArrayDeque<>();

    void onClose(final Runnable closing) {
        closings.push(closing);
    }

    boolean isEmpty() {
        return closings.isEmpty();
    }

    /** Runs all closings, whatever one of them throws. @throws RuntimeException the first that was thrown */
    @Override
    public void close() {
        RuntimeException first = null;
        while (!closings.isEmpty()) {
            try {
                closings.pop().run();
            } catch (final RuntimeException e) {
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
