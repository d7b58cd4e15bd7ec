package org.verifycycle.device;

/** A call of the CUDA driver failed; the message names the call, the rank where there is one, and the driver's own text. */
public final class CudaException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public CudaException(final String message) {
        super(message);
    }
}
