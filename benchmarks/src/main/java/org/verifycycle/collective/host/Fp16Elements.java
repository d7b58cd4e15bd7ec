package org.verifycycle.collective.host;

import org.verifycycle.collective.Fp16;

/** IEEE 754 binary16. */
final class Fp16Elements extends ShortElements {
    @Override
    public void add(final short[] source, final short[] target, final int from, final int length) {
        for (var i = from; i < from + length; i++) {
            target[i] = Fp16.fromFloat(Fp16.toFloat(target[i]) + Fp16.toFloat(source[i]));
        }
    }

    @Override
    public void widen(final short[] source, final float[] target, final int length) {
        for (var i = 0; i < length; i++) {
            target[i] = Fp16.toFloat(source[i]);
        }
    }

    @Override
    public void accumulate(final short[] source, final float[] target, final int length) {
        for (var i = 0; i < length; i++) {
            target[i] += Fp16.toFloat(source[i]);
        }
    }

    @Override
    public void round(final float[] source, final short[] target, final int length) {
        for (var i = 0; i < length; i++) {
            target[i] = Fp16.fromFloat(source[i]);
        }
    }
}
