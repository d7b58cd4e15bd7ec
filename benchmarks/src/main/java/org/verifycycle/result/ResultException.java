package org.verifycycle.result;

/** A file of results can't be read, understood or written; the message names file and field and says what to do. */
public final class ResultException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final Kind kind;

    /** Whose fault it is. */
    public enum Kind {
        /** Missing, foreign, damaged or of another version. */
        UNREADABLE,
        /** No room, no permission. */
        UNWRITABLE
    }

    public ResultException(final Kind kind, final String message) {
        super(message);
        this.kind = kind;
    }

    public ResultException(final Kind kind, final String message, final Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
