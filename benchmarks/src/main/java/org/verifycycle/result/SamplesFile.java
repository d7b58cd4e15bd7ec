package org.verifycycle.result;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * The file of one round's raw samples: about 4 bytes a cycle.
 *
 * <pre>
 *   0  magic "VCS1"                                    4 bytes
 *   4  columns: bit 0 groupNanos, 1 skewNanos, 2 deviceNanos   int, little endian
 *   8  cycles                                          int
 *  12  length of the columns before deflating          int
 *  16  CRC-32 of bytes 0 to 15 and 20 to the end       int
 *  20  the columns, deflated (RFC 1950): one after the other, each value as the difference from the one before,
 *      zigzag coded (0, -1, 1, -2, ...), as a varint of 7 bits a byte, low bits first, high bit "more follows"
 * </pre>
 */
public final class SamplesFile {
    private static final int MAGIC = 0x31534356;
    private static final int CRC_AT = 16;
    private static final int HEADER_BYTES = 20;
    private static final int ALWAYS = 0b011;
    private static final int DEVICE = 0b100;
    private static final int MAX_VARINT_BYTES = 10;

    private SamplesFile() {
    }

    /** @throws ResultException if it can't be written */
    public static void write(final Path file, final Samples samples) {
        final var columns = new ByteArrayOutputStream();
        encode(samples.groupNanos(), columns);
        encode(samples.skewNanos(), columns);
        samples.deviceNanos().ifPresent(device -> encode(device, columns));
        final var plain = columns.toByteArray();
        final var deflated = deflate(plain);
        final var out = ByteBuffer.allocate(HEADER_BYTES + deflated.length).order(ByteOrder.LITTLE_ENDIAN)
                .putInt(MAGIC).putInt(samples.deviceNanos().isPresent() ? ALWAYS | DEVICE : ALWAYS)
                .putInt(samples.cycles()).putInt(plain.length).putInt(0).put(deflated);
        out.putInt(CRC_AT, crc(out.array()));
        AtomicFiles.write(file, out.array());
    }

    /** @throws ResultException if it is missing, damaged or something else, by name */
    public static Samples read(final Path file) {
        final byte[] bytes;
        try {
            bytes = Files.readAllBytes(file);
        } catch (final NoSuchFileException e) {
            throw unreadable(file, "is missing");
        } catch (final IOException e) {
            throw unreadable(file, "can't be read: " + IoReason.of(e));
        }
        final var in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.length < HEADER_BYTES || in.getInt() != MAGIC) {
            throw unreadable(file, "is not a samples file of version 1");
        }
        // Before anything in it is believed: a damaged count would ask for any amount of memory.
        if (in.getInt(CRC_AT) != crc(bytes)) {
            throw unreadable(file, "is cut short or damaged: its check sum does not match");
        }
        final var columns = in.getInt();
        final var cycles = in.getInt();
        final var length = in.getInt();
        if ((columns != ALWAYS && columns != (ALWAYS | DEVICE)) || cycles < 0 || length < 0
                || length > (long) cycles * MAX_VARINT_BYTES * Integer.bitCount(columns)) {
            throw unreadable(file, "has a header that makes no sense (columns " + columns + ", cycles " + cycles + ", length " + length + ")");
        }
        final var plain = inflate(file, Arrays.copyOfRange(bytes, HEADER_BYTES, bytes.length), length);
        final var values = ByteBuffer.wrap(plain);
        try {
            final var group = decode(values, cycles);
            final var skew = decode(values, cycles);
            final var device = columns == ALWAYS ? Optional.<long[]>empty() : Optional.of(decode(values, cycles));
            if (values.hasRemaining()) {
                throw unreadable(file, "has " + values.remaining() + " bytes too many");
            }
            return new Samples(group, skew, device);
        } catch (final java.nio.BufferUnderflowException e) {
            throw unreadable(file, "ends too early");
        }
    }

    private static void encode(final long[] values, final ByteArrayOutputStream out) {
        long previous = 0;
        for (final var value : values) {
            final var difference = value - previous;
            var rest = (difference << 1) ^ (difference >> 63);
            while ((rest & ~0x7fL) != 0) {
                out.write((int) (rest & 0x7f | 0x80));
                rest >>>= 7;
            }
            out.write((int) rest);
            previous = value;
        }
    }

    private static long[] decode(final ByteBuffer in, final int count) {
        final var values = new long[count];
        long previous = 0;
        for (int i = 0; i < count; i++) {
            long zigzag = 0;
            int shift = 0;
            byte next;
            do {
                next = in.get();
                zigzag |= (next & 0x7fL) << shift;
                shift += 7;
            } while (next < 0);
            previous += (zigzag >>> 1) ^ -(zigzag & 1);
            values[i] = previous;
        }
        return values;
    }

    private static byte[] deflate(final byte[] plain) {
        final var deflater = new Deflater(Deflater.BEST_COMPRESSION);
        deflater.setInput(plain);
        deflater.finish();
        final var out = new ByteArrayOutputStream();
        final var chunk = new byte[1 << 16];
        while (!deflater.finished()) {
            out.write(chunk, 0, deflater.deflate(chunk));
        }
        deflater.end();
        return out.toByteArray();
    }

    private static byte[] inflate(final Path file, final byte[] deflated, final int length) {
        final var inflater = new Inflater();
        inflater.setInput(deflated);
        final var plain = new byte[length];
        try {
            int at = 0;
            while (at < length) {
                final var count = inflater.inflate(plain, at, length - at);
                if (count == 0) {
                    throw unreadable(file, "ends too early");
                }
                at += count;
            }
            return plain;
        } catch (final DataFormatException e) {
            throw unreadable(file, "is damaged: " + e.getMessage());
        } finally {
            inflater.end();
        }
    }

    /** Of a whole file but for the place where it stands. */
    private static int crc(final byte[] file) {
        final var crc = new CRC32();
        crc.update(file, 0, CRC_AT);
        crc.update(file, HEADER_BYTES, file.length - HEADER_BYTES);
        return (int) crc.getValue();
    }

    private static ResultException unreadable(final Path file, final String what) {
        return new ResultException(ResultException.Kind.UNREADABLE, "samples file " + file + " " + what
                + "; restore it from a copy, or measure again");
    }
}
