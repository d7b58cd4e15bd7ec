package org.verifycycle.collective.host;

/** What the two 16-bit types have in common: how their bits travel. */
abstract class ShortElements implements Elements<short[]> {
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
    public final void pack(final short[] source, final int from, final int[] words, final int length) {
        for (var i = 0; i < length / 2; i++) {
            words[i] = source[from + 2 * i] & 0xFFFF | source[from + 2 * i + 1] << 16;
        }
    }

    @Override
    public final void unpack(final int[] words, final short[] target, final int to, final int length) {
        for (var i = 0; i < length / 2; i++) {
            target[to + 2 * i] = (short) words[i];
            target[to + 2 * i + 1] = (short) (words[i] >>> 16);
        }
    }
}
