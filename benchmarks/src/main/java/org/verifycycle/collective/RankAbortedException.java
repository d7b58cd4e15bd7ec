package org.verifycycle.collective;

/** The group this rank belongs to is being ended; the message says why. */
public final class RankAbortedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public RankAbortedException(final String message) {
        super(message);
    }
}
