package org.verifycycle.collective.host;

/** float32: nothing to convert, so the sum is a loop over arrays that HotSpot turns into vector code. */
final class Fp32Elements implements Elements<float[]> {
    @Override
    public float[] allocate(final int length) {
        return new float[length];
    }

    @Override
    public float[][] table(final int operands) {
        return new float[operands][];
    }

    @Override
    public void write(final float[] source, final int from, final HostRegion region, final int offset, final int length) {
        region.writeFloats(source, from, offset, length);
    }

    @Override
    public void read(final HostRegion region, final int offset, final float[] target, final int to, final int length) {
        region.readFloats(offset, target, to, length);
    }

    @Override
    public void pack(final float[] source, final int from, final int flag, final long[] lines, final int length) {
        final var high = (long) flag << 32;
        for (var i = 0; i < length; i++) {
            lines[i] = high | Float.floatToRawIntBits(source[from + i]) & 0xFFFFFFFFL;
        }
    }

    @Override
    public void unpack(final long[] lines, final float[] target, final int to, final int length) {
        for (var i = 0; i < length; i++) {
            target[to + i] = Float.intBitsToFloat((int) lines[i]);
        }
    }

    @Override
    public void add(final float[] source, final float[] target, final int from, final int length) {
        for (var i = from; i < from + length; i++) {
            target[i] += source[i];
        }
    }

    @Override
    public void sum(final float[][] operands, final float[] target, final int length) {
        System.arraycopy(operands[0], 0, target, 0, length);
        for (var i = 1; i < operands.length; i++) {
            accumulate(operands[i], target, length);
        }
    }

    @Override
    public void widen(final float[] source, final float[] target, final int length) {
        System.arraycopy(source, 0, target, 0, length);
    }

    @Override
    public void accumulate(final float[] source, final float[] target, final int length) {
        for (var i = 0; i < length; i++) {
            target[i] += source[i];
        }
    }

    @Override
    public void round(final float[] source, final float[] target, final int length) {
        System.arraycopy(source, 0, target, 0, length);
    }
}
