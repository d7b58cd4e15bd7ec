package org.verifycycle.collective;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Element type of a tensor. All are summed in float32 and rounded once. */
public enum Dtype {
    /** IEEE 754 binary32. */
    FP32(4),
    /** The upper half of a binary32: 8 exponent bits, 7 fraction bits. */
    BF16(2),
    /** IEEE 754 binary16. */
    FP16(2);

    private final int bytes;

    Dtype(final int bytes) {
        this.bytes = bytes;
    }

    /** Size of one element in bytes. */
    public int bytes() {
        return bytes;
    }

    /** The name used in flags, charts and files, e.g. {@code bf16}. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** @throws IllegalArgumentException naming the known types */
    public static Dtype parse(final String text) {
        return Arrays.stream(values()).filter(d -> d.id().equalsIgnoreCase(text.strip())).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown dtype '" + text + "'; known: "
                        + Arrays.stream(values()).map(Dtype::id).collect(Collectors.joining(", "))));
    }
}
