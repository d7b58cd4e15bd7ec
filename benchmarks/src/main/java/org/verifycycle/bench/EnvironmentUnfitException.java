package org.verifycycle.bench;

/** This machine, as it is now, can't be measured on; the message says what to do. */
public final class EnvironmentUnfitException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public EnvironmentUnfitException(final String message) {
        super(message);
    }
}
