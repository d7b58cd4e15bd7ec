package org.verifycycle.result;

import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.lifecycle.AfterProperty;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.CRC32;
import java.util.zip.DeflaterOutputStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class SamplesFileTest {
    private final Path folder;
    private final Path file;

    SamplesFileTest() throws IOException {
        folder = Files.createTempDirectory("verifycycle-samples");
        file = folder.resolve("c01-r1.vcs");
    }

    @AfterProperty
    void clean() throws IOException {
        Files.deleteIfExists(file);
        Files.deleteIfExists(folder);
    }

    @Property(tries = 60)
    void anySamplesComeBackExactly(@ForAll @Size(max = 200) final long[] group, @ForAll final boolean device) throws IOException {
        final var samples = new Samples(group, reversed(group), device ? Optional.of(group) : Optional.empty());
        assertThat(readBack(samples)).isEqualTo(samples);
    }

    @Example
    void extremesComeBackExactly() throws IOException {
        final var samples = new Samples(new long[]{Long.MAX_VALUE, Long.MIN_VALUE, 0, -1, Long.MIN_VALUE, Long.MAX_VALUE}, new long[6], Optional.empty());
        assertThat(readBack(samples)).isEqualTo(samples);
    }

    @Example
    void aMillionCyclesOfARealRunsNoiseAreLessThan5Megabytes() throws IOException {
        final var samples = Runs.noise(1_000_000, false);
        final var bytes = encode(samples);
        assertThat(bytes.length).isLessThan(5_000_000);
        assertThat(SamplesFile.read(file)).isEqualTo(samples);
    }

    @Property(tries = 40)
    void aFileCutShortIsRefusedByName(@ForAll final double where) throws IOException {
        final var bytes = encode(Runs.noise(100, true));
        final var length = (int) (Math.abs(where % 1) * bytes.length);
        assertRefused(Arrays.copyOf(bytes, length));
    }

    @Example
    void anyChangedByteIsRefusedByName() throws IOException {
        final var bytes = encode(Runs.noise(50, false));
        for (var i = 0; i < bytes.length; i++) {
            final var changed = bytes.clone();
            changed[i] ^= 0x10;
            assertRefused(changed);
        }
    }

    @Example
    void bytesBehindTheEndAreRefused() throws IOException {
        final var bytes = encode(Runs.noise(50, false));
        assertRefused(Arrays.copyOf(bytes, bytes.length + 1));
    }

    @Example
    void otherFilesAreRefused() throws IOException {
        for (final var content : new String[]{"", "VCS1", "{\"schema\": 1, \"id\": \"x\", \"more\": 1}"}) {
            assertRefused(content.getBytes(StandardCharsets.UTF_8));
        }
        Files.delete(file);
        assertThatThrownBy(() -> SamplesFile.read(file)).isInstanceOf(ResultException.class).hasMessageContaining(file + " is missing");
    }

    /** The bytes as results/README.md has them, made and read without this class. */
    @Example
    void theFormatIsAsDescribed() throws Exception {
        final var plain = new byte[]{(byte) 0xAC, 0x02, 0x01, 0x08, 0x00};
        final var deflated = new ByteArrayOutputStream();
        try (var out = new DeflaterOutputStream(deflated)) {
            out.write(plain);
        }
        final var bytes = ByteBuffer.allocate(20 + deflated.size()).order(ByteOrder.LITTLE_ENDIAN).put("VCS1".getBytes(StandardCharsets.US_ASCII))
                .putInt(3).putInt(2).putInt(plain.length).putInt(0).put(deflated.toByteArray());
        final var crc = new CRC32();
        crc.update(bytes.array(), 0, 16);
        crc.update(bytes.array(), 20, deflated.size());
        bytes.putInt(16, (int) crc.getValue());
        Files.write(file, bytes.array());
        // 300 zigzag is 150, then -1; 8 is 4, then no difference.
        assertThat(SamplesFile.read(file)).isEqualTo(new Samples(new long[]{150, 149}, new long[]{4, 4}, Optional.empty()));
    }

    private Samples readBack(final Samples samples) {
        SamplesFile.write(file, samples);
        return SamplesFile.read(file);
    }

    private byte[] encode(final Samples samples) throws IOException {
        SamplesFile.write(file, samples);
        return Files.readAllBytes(file);
    }

    private void assertRefused(final byte[] bytes) throws IOException {
        Files.write(file, bytes);
        assertThatThrownBy(() -> SamplesFile.read(file)).isInstanceOf(ResultException.class).hasMessageStartingWith("samples file " + file + " ")
                .hasMessageNotContaining("\n");
    }

    private static long[] reversed(final long[] values) {
        final var reversed = new long[values.length];
        for (var i = 0; i < values.length; i++) {
            reversed[i] = values[values.length - 1 - i];
        }
        return reversed;
    }
}
