package org.verifycycle.cli;

/** What a person typed can't be done; the message says what can. */
final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UsageException(final String message) {
        super(message);
    }

    UsageException(final IllegalArgumentException cause) {
        super(cause.getMessage(), cause);
    }
}
