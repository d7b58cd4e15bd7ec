package org.verifycycle.rank;

/** An all-reduce gave a wrong sum, or ranks differ in their bits: no time of it may be used. */
public final class WrongResultException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public WrongResultException(final String message) {
        super(message);
    }
}
