package org.verifycycle.collective.host;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.ShortBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Copies tensors from the heap into memory that other processes read, by libc's memcpy.
 *
 * <p>The JVM copies by vector stores, and each store to a line that a peer has read must first fetch that line from the peer's
 * cache: 4.7 us of a call of 43,008 bytes (AMD EPYC, glibc 2.36, JDK 17, results/host-2-cores-copy). From a few KiB on, glibc's
 * memcpy is {@code rep movsb} where the processor does that fast (ERMS), which takes lines over without reading them. The heap has
 * no addresses for C, so a tensor passes through private memory first, which stays in the cache.
 *
 * <p>The stores of a string instruction are in no order among themselves, but all before a later store of the same thread, such
 * as that of a flag (Intel 64 Software Developer's Manual, volume 3, "Fast-String Operation and Out-of-Order Stores"; AMD64
 * likewise). So this is for data that a flag of its own announces, and not for LL lines, which are read one by one.
 */
final class LibcCopy {
    /**
     * Shorter ones glibc copies by vector stores too (x86_rep_movsb_threshold: 4096 with 32-byte vectors, 8192 with 64), and the call
     * costs more than it saves.
     */
    static final int LEAST_BYTES = 8192;
    private static final int STAGE_BYTES = 64 << 10;
    private static final boolean ERMS = erms();

    private final long region;
    private final long stage;
    private final FloatBuffer floats;
    private final ShortBuffer shorts;

    private LibcCopy(final ByteBuffer region) {
        this.region = address(region);
        final var bytes = ByteBuffer.allocateDirect(STAGE_BYTES).order(ByteOrder.nativeOrder());
        stage = address(bytes);
        floats = bytes.asFloatBuffer();
        shorts = bytes.asShortBuffer();
    }

    /** Why copies can't be made so; empty if they can. */
    static Optional<String> unavailable() {
        if (!List.of("amd64", "x86_64").contains(System.getProperty("os.arch")) || !System.getProperty("os.name").equals("Linux")) {
            return Optional.of("only on Linux on x86-64 is memcpy known to be better");
        }
        if (!ERMS) {
            return Optional.of("this processor has no fast rep movsb (erms in /proc/cpuinfo)");
        }
        try {
            Libc.memcpy(0, 0, 0);
            return Optional.empty();
        } catch (final LinkageError e) {
            return Optional.of("libc can't be called (" + e.getMessage() + ")");
        }
    }

    /** Whose memcpy it is, e.g. {@code glibc 2.36}: how it copies is decided there, and changes with its version. */
    static String whose() {
        try {
            return "glibc " + NativeLibrary.getProcess().getFunction("gnu_get_libc_version").invokeString(new Object[0], false);
        } catch (final LinkageError e) {
            return "libc";
        }
    }

    /** @param region direct, and alive as long as this */
    static LibcCopy into(final ByteBuffer region) {
        return new LibcCopy(region);
    }

    void floats(final float[] source, final int from, final int offset, final int length) {
        for (var done = 0; done < length; done += STAGE_BYTES / Float.BYTES) {
            final var count = Math.min(STAGE_BYTES / Float.BYTES, length - done);
            floats.put(0, source, from + done, count);
            Libc.memcpy(region + offset + (long) Float.BYTES * done, stage, (long) Float.BYTES * count);
        }
    }

    void shorts(final short[] source, final int from, final int offset, final int length) {
        for (var done = 0; done < length; done += STAGE_BYTES / Short.BYTES) {
            final var count = Math.min(STAGE_BYTES / Short.BYTES, length - done);
            shorts.put(0, source, from + done, count);
            Libc.memcpy(region + offset + (long) Short.BYTES * done, stage, (long) Short.BYTES * count);
        }
    }

    private static boolean erms() {
        try (var lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("flags")).findFirst().filter(line -> line.contains(" erms")).isPresent();
        } catch (final IOException | UncheckedIOException e) {
            return false;
        }
    }

    private static long address(final ByteBuffer direct) {
        return Pointer.nativeValue(Native.getDirectBufferPointer(direct));
    }

    /** Bound when first called, so that nothing native is loaded where it isn't used. All-long signatures cost the least. */
    private static final class Libc {
        static {
            Native.register(Libc.class, NativeLibrary.getProcess());
        }

        private static native long memcpy(long to, long from, long bytes);
    }
}
