package org.verifycycle.collective.nccl;

/** E.g. 2.28.9, in order. */
record NcclVersion(int major, int minor, int patch) implements Comparable<NcclVersion> {
    /** The first with ncclConfig_t as {@link NcclConfig} writes it. */
    static final NcclVersion OLDEST = new NcclVersion(2, 17, 0);
    /** The first with ncclCommWindowRegister. */
    static final NcclVersion WINDOWS = new NcclVersion(2, 27, 0);
    /** The first in which NCCL_SYM_NOWIN_ENABLE does anything: 2.28.9 has not, 2.30.7 has. */
    static final NcclVersion SYMMETRIC_WITHOUT_WINDOWS = new NcclVersion(2, 29, 0);

    /** @param code of ncclGetVersion: 22809 is 2.28.9; before 2.9, 2804 was 2.8.4 */
    static NcclVersion of(final int code) {
        return code < 10_000 ? new NcclVersion(code / 1000, code % 1000 / 100, code % 100) : new NcclVersion(code / 10_000, code % 10_000 / 100, code % 100);
    }

    boolean atLeast(final NcclVersion other) {
        return compareTo(other) >= 0;
    }

    @Override
    public int compareTo(final NcclVersion other) {
        return major != other.major ? Integer.compare(major, other.major) : minor != other.minor ? Integer.compare(minor, other.minor) : Integer.compare(patch, other.patch);
    }

    @Override
    public String toString() {
        return major + "." + minor + "." + patch;
    }
}
