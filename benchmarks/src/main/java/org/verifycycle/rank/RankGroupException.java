package org.verifycycle.rank;

/** A group of ranks could not be made or has ended; the message is for a person. */
public final class RankGroupException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public RankGroupException(final String message) {
        super(message);
    }

    public RankGroupException(final String message, final Throwable cause) {
        super(message, cause);
    }
}
