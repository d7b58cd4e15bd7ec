package org.verifycycle.collective.nccl;

/** A call of NCCL failed, or it declined what was asked; the message names call and rank, and has NCCL's own text. */
final class NcclException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NcclException(final String message) {
        super(message);
    }
}
