package org.verifycycle.collective.host;

/** What the two 16-bit types have in common: how their bits travel, and the sum from its parts. */
abstract class ShortElements implements Elements<short[]> {
    private float[] sums = new float[0];

    @Override
    public final short[] allocate(final int length) {
        return new short[length];
    }

    @Override
    public final short[][] table(final int operands) {
        return new short[operands][];
    }

    @Override
    public final void write(final short[] source, final int from, final HostRegion region, final int offset, final int length) {
        region.writeShorts(source, from, offset, length);
    }

    @Override
    public final void read(final HostRegion region, final int offset, final short[] target, final int to, final int length) {
        region.readShorts(offset, target, to, length);
    }

    @Override
    public final void pack(final short[] source, final int from, final int flag, final long[] lines, final int length) {
        final var high = (long) flag << 32;
        for (var i = 0; i < length / 2; i++) {
            lines[i] = high | (source[from + 2 * i + 1] & 0xFFFFL) << 16 | source[from + 2 * i] & 0xFFFFL;
        }
    }

    @Override
    public final void unpack(final long[] lines, final short[] target, final int to, final int length) {
        for (var i = 0; i < length / 2; i++) {
            target[to + 2 * i] = (short) lines[i];
            target[to + 2 * i + 1] = (short) (lines[i] >>> 16);
        }
    }

    @Override
    public final void sum(final short[][] operands, final short[] target, final int length) {
        if (sums.length < length) {
            sums = new float[length];
        }
        widen(operands[0], sums, length);
        for (var i = 1; i < operands.length; i++) {
            accumulate(operands[i], sums, length);
        }
        round(sums, target, length);
    }
}
