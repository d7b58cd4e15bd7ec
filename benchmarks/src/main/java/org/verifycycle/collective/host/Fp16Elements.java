package org.verifycycle.collective.host;

/** IEEE 754 binary16. */
final class Fp16Elements extends ShortElements {
    private float[] sums = new float[0];

    @Override
    public void sum(final short[][] operands, final int[] from, final short[] target, final int to, final int length) {
        if (operands.length == 2) {
            sumOfTwo(operands[0], from[0], operands[1], from[1], target, to, length);
            return;
        }
        if (sums.length < length) {
            sums = new float[length];
        }
        widen(operands[0], from[0], sums, 0, length);
        for (var i = 1; i < operands.length; i++) {
            add(operands[i], from[i], sums, 0, length);
        }
        round(sums, 0, target, to, length);
    }

    private static void sumOfTwo(final short[] a, final int fromA, final short[] b, final int fromB, final short[] target, final int to,
            final int length) {
        for (var i = 0; i < length; i++) {
            target[to + i] = Fp16.fromFloat(Fp16.toFloat(a[fromA + i]) + Fp16.toFloat(b[fromB + i]));
        }
    }

    @Override
    public void widen(final short[] source, final int from, final float[] target, final int to, final int length) {
        for (var i = 0; i < length; i++) {
            target[to + i] = Fp16.toFloat(source[from + i]);
        }
    }

    @Override
    public void add(final short[] source, final int from, final float[] target, final int to, final int length) {
        for (var i = 0; i < length; i++) {
            target[to + i] += Fp16.toFloat(source[from + i]);
        }
    }

    @Override
    public void round(final float[] source, final int from, final short[] target, final int to, final int length) {
        for (var i = 0; i < length; i++) {
            target[to + i] = Fp16.fromFloat(source[from + i]);
        }
    }
}
