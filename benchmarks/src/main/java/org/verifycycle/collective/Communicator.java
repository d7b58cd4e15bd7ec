package org.verifycycle.collective;

/** A rank's part of an opened collective. Closing twice is allowed. */
public interface Communicator extends AutoCloseable {
    /** Binds buffers and captures what can be captured. Called once, by every rank. */
    PreparedCycle prepare();

    @Override
    void close();
}
