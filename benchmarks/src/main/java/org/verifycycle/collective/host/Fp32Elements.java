package org.verifycycle.collective.host;

/** float32: nothing to convert, so the sum is one loop over arrays, which HotSpot turns into vector code. */
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
    public void sum(final float[][] operands, final int[] from, final float[] target, final int to, final int length) {
        sumOfTwo(operands[0], from[0], operands[1], from[1], target, to, length);
        for (var i = 2; i < operands.length; i++) {
            add(operands[i], from[i], target, to, length);
        }
    }

    private static void sumOfTwo(final float[] a, final int fromA, final float[] b, final int fromB, final float[] target, final int to,
            final int length) {
        for (var i = 0; i < length; i++) {
            target[to + i] = a[fromA + i] + b[fromB + i];
        }
    }

    @Override
    public void widen(final float[] source, final int from, final float[] target, final int to, final int length) {
        System.arraycopy(source, from, target, to, length);
    }

    @Override
    public void add(final float[] source, final int from, final float[] target, final int to, final int length) {
        for (var i = 0; i < length; i++) {
            target[to + i] += source[from + i];
        }
    }

    @Override
    public void round(final float[] source, final int from, final float[] target, final int to, final int length) {
        System.arraycopy(source, from, target, to, length);
    }

    @Override
    public void pack(final float[] source, final int from, final int[] words, final int length) {
        for (var i = 0; i < length; i++) {
            words[i] = Float.floatToRawIntBits(source[from + i]);
        }
    }

    @Override
    public void unpack(final int[] words, final float[] target, final int to, final int length) {
        for (var i = 0; i < length; i++) {
            target[to + i] = Float.intBitsToFloat(words[i]);
        }
    }
}
