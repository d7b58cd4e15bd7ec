package org.verifycycle.collective;

/**
 * A library does not do what the configuration asks of it (an algorithm, a protocol, a kind of buffers): there is nothing wrong,
 * and nothing to measure under that name. The message is the reason, in the library's own words where it has some.
 */
public final class DeclinedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public DeclinedException(final String message) {
        super(message);
    }
}
