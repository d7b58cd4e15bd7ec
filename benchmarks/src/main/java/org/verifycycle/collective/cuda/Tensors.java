package org.verifycycle.collective.cuda;

import org.verifycycle.collective.Bf16;
import org.verifycycle.collective.Dtype;
import org.verifycycle.collective.Fp16;

import java.nio.ByteBuffer;

/** float32 arrays to the bits of a dtype in native byte order, and back. */
final class Tensors {
    private Tensors() {
    }

    /** Rounds to nearest even. */
    static void write(final float[] values, final Dtype dtype, final ByteBuffer bytes) {
        switch (dtype) {
            case FP32 -> bytes.asFloatBuffer().put(values);
            case BF16 -> {
                final var shorts = bytes.asShortBuffer();
                for (final var value : values) {
                    shorts.put(Bf16.fromFloat(value));
                }
            }
            case FP16 -> {
                final var shorts = bytes.asShortBuffer();
                for (final var value : values) {
                    shorts.put(Fp16.fromFloat(value));
                }
            }
        }
    }

    /** Exact. */
    static void read(final ByteBuffer bytes, final Dtype dtype, final float[] values) {
        switch (dtype) {
            case FP32 -> bytes.asFloatBuffer().get(values);
            case BF16 -> {
                final var shorts = bytes.asShortBuffer();
                for (int i = 0; i < values.length; i++) {
                    values[i] = Bf16.toFloat(shorts.get(i));
                }
            }
            case FP16 -> {
                final var shorts = bytes.asShortBuffer();
                for (int i = 0; i < values.length; i++) {
                    values[i] = Fp16.toFloat(shorts.get(i));
                }
            }
        }
    }
}
