package org.verifycycle.collective.cuda;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.verifycycle.collective.Dtype;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/** What Java writes and reserves is what {@code abi.h} says, by a C program that prints it. */
class AbiTest {
    private static final List<Integer> PACKS = List.of(1, 7, 8, 64, 512, 2688, 8192, 65_536, 4_194_304);
    private static final List<String> FIELDS = List.of("input", "output", "control", "fault", "deadline_nanos", "rank", "world", "packs", "capacity", "version", "max_blocks", "region", "peer_input");
    private static final List<String> PROBE_FIELDS = List.of("own", "result", "gate", "deadline_nanos", "bytes", "peers", "rounds", "width", "begins", "warmup", "peer");
    private static final List<String> RESULT_FIELDS = List.of("code", "wrong", "torn", "calls", "nanos", "block");
    private static final List<String> FAULT_FIELDS = List.of("code", "rank", "peer", "slot", "block", "position", "expected", "seen");

    @TempDir
    private static Path folder;
    private static final Map<String, Long> ABI = new HashMap<>();

    @BeforeAll
    static void ask() throws IOException, InterruptedException {
        FakeCuda.assumeCompiler();
        final var c = new StringBuilder("#include <stdio.h>\n#include \"abi.h\"\n#define P(name, value) printf(name \" %llu\\n\", (unsigned long long)(value))\nint main(void) {\n");
        for (final var constant : List.of("VC_ABI_VERSION", "VC_MAX_WORLD", "VC_MAX_THREADS", "VC_MAX_BLOCKS", "VC_ENTRIES_OFFSET", "VC_SLOTS_OFFSET", "sizeof(VcParams)", "sizeof(VcFault)",
                "VC_FAULT_DEADLINE", "VC_FAULT_ARGUMENTS", "sizeof(VcProbe)", "sizeof(VcProbeResult)", "VC_PROBE_DATA_OFFSET", "VC_PROBE_PEERS", "VC_PROBE_BLOCKS")) {
            c.append("P(\"%1$s\", %1$s);%n".formatted(constant));
        }
        FIELDS.forEach(f -> c.append("P(\"%1$s\", offsetof(VcParams, %1$s));%n".formatted(f)));
        PROBE_FIELDS.forEach(f -> c.append("P(\"probe.%1$s\", offsetof(VcProbe, %1$s));%n".formatted(f)));
        RESULT_FIELDS.forEach(f -> c.append("P(\"result.%1$s\", offsetof(VcProbeResult, %1$s));%n".formatted(f)));
        FAULT_FIELDS.forEach(f -> c.append("P(\"fault.%1$s\", offsetof(VcFault, %1$s));%n".formatted(f)));
        Arrays.stream(IpcAlgorithm.values()).map(AbiTest::inC).forEach(a -> {
            c.append("P(\"fill %1$s\", vc_slot_fill(%1$s)); P(\"pulls %1$s\", vc_pulls(%1$s)); P(\"flags %1$s\", vc_sends_flags(%1$s)); P(\"two-shot %1$s\", vc_is_two_shot(%1$s));%n".formatted(a));
            for (final var world : Requirements.WORLDS) {
                for (final var packs : PACKS) {
                    c.append("P(\"region %1$s %2$d %3$d\", vc_region_bytes(%1$s, %3$d, %2$d)); P(\"board %1$s %2$d %3$d\", vc_board_bytes(%1$s, %3$d, %2$d));%n".formatted(a, world, packs));
                    c.append("P(\"part %1$d %2$d\", vc_part_packs(%2$d, %1$d));%n".formatted(world, packs));
                }
            }
        });
        final var source = Files.writeString(folder.resolve("ask.c"), c.append("return 0; }\n"));
        final var program = folder.resolve("ask");
        FakeCuda.compile("-I../native/src/main/cuda", "-o", program.toString(), source.toString());
        final var process = new ProcessBuilder(program.toString()).redirectErrorStream(true).start();
        try (var lines = process.inputReader()) {
            lines.lines().forEach(l -> ABI.put(l.substring(0, l.lastIndexOf(' ')), Long.parseLong(l.substring(l.lastIndexOf(' ') + 1))));
        }
        assertThat(process.waitFor()).isZero();
    }

    /** Its id in {@code abi.h}: VC_ and the kernel's name without dtype and world, in capitals. */
    static String inC(final IpcAlgorithm algorithm) {
        return algorithm.kernel(Dtype.FP32, 2).replaceFirst("(_fp32)?(_w2)?$", "").toUpperCase(Locale.ROOT);
    }

    private static int at(final String name) {
        return Math.toIntExact(ABI.get(name));
    }

    @Test
    void theArgumentOfAKernelIsLaidOutAsInC() {
        final var regions = new long[] {0x1111, 0x2222, 0x3333, 0x4444};
        final var inputs = new long[] {0x5555, 0x6666, 0x7777, 0x8888};
        final var bytes = ByteBuffer.wrap(new KernelParameters(1L << 40, 2L << 40, 3L << 40, 4L << 40, 5L << 40, 3, 2688, 21, regions, inputs).bytes()).order(ByteOrder.nativeOrder());
        assertThat(bytes.capacity()).isEqualTo(at("sizeof(VcParams)"));
        assertThat(List.of("input", "output", "control", "fault", "deadline_nanos")).extracting(f -> bytes.getLong(at(f)) >> 40).containsExactly(1L, 2L, 3L, 4L, 5L);
        assertThat(List.of("rank", "world", "packs", "capacity", "version", "max_blocks")).extracting(f -> bytes.getInt(at(f))).containsExactly(3, 4, 2688, 2688, at("VC_ABI_VERSION"), 21);
        for (int r = 0; r < 8; r++) {
            assertThat(bytes.getLong(at("region") + 8 * r)).isEqualTo(r < 4 ? regions[r] : 0);
            assertThat(bytes.getLong(at("peer_input") + 8 * r)).isEqualTo(r < 4 ? inputs[r] : 0);
        }
    }

    @Test
    void aFaultIsReadAsCWritesIt() {
        assertThat(Fault.BYTES).isEqualTo(at("sizeof(VcFault)"));
        final var memory = ByteBuffer.allocate(Fault.BYTES).order(ByteOrder.nativeOrder());
        assertThat(Fault.in(memory)).isFalse();
        memory.putInt(at("fault.code"), at("VC_FAULT_DEADLINE")).putInt(at("fault.rank"), 1).putInt(at("fault.peer"), 2).putInt(at("fault.slot"), 3).putInt(at("fault.block"), 4)
                .putInt(at("fault.position"), 5).putInt(at("fault.expected"), -1).putInt(at("fault.seen"), 7);
        assertThat(Fault.in(memory)).isTrue();
        assertThat(Fault.of(memory).text(IpcAlgorithm.TWO_SHOT_LL, new Geometry(3, 64), 2_000_000_000L))
                .isEqualTo("rank 1 waited 2 s for rank 2 in vain: two-shot-ll (3x64), slot 3, block 4, pack 5 of a part; expected call 4294967295, saw 7");
        memory.putInt(at("fault.code"), at("VC_FAULT_ARGUMENTS"));
        assertThat(Fault.of(memory).text(IpcAlgorithm.EMPTY, new Geometry(1, 32), 0)).contains("rank 1", "refused its launch", "not from one build");
    }

    @Test
    void theArgumentOfAProbeIsLaidOutAsInC() {
        final var bytes = ByteBuffer.wrap(new ProbeParameters(1L << 40, 2L << 40, 3L << 40, 5L << 40, 7, 8, true, List.of(0x11L, 0x22L, 0x33L)).bytesOfC()).order(ByteOrder.nativeOrder());
        assertThat(bytes.capacity()).isEqualTo(at("sizeof(VcProbe)"));
        assertThat(List.of("own", "result", "gate", "bytes")).extracting(f -> bytes.getLong(at("probe." + f)) >> 40).containsExactly(1L, 2L, 3L, 5L);
        assertThat(bytes.getLong(at("probe.deadline_nanos"))).isEqualTo(ProbeParameters.DEADLINE_NANOS);
        assertThat(List.of("peers", "rounds", "width", "begins", "warmup")).extracting(f -> bytes.getInt(at("probe." + f))).containsExactly(3, 7, 8, 1, ProbeParameters.WARMUP_ROUNDS);
        assertThat(List.of(0, 1, 2, 3)).extracting(i -> bytes.getLong(at("probe.peer") + 8 * i)).containsExactly(0x11L, 0x22L, 0x33L, 0L);
    }

    @Test
    void aProbesResultIsReadAsCWritesIt() {
        assertThat(ProbeResult.BYTES).isEqualTo(at("sizeof(VcProbeResult)"));
        final var memory = ByteBuffer.allocate(ProbeResult.BYTES).order(ByteOrder.nativeOrder());
        final var result = new ProbeResult(memory);
        assertThat(result.ok()).isTrue();
        memory.putInt(at("result.wrong"), -1).putInt(at("result.torn"), 2).putInt(at("result.calls"), 3).putLong(at("result.nanos"), 1L << 40);
        for (int b = 0; b < 4; b++) {
            memory.putLong(at("result.block") + 16 * b, 100 - b).putLong(at("result.block") + 16 * b + 8, 200 + b);
        }
        assertThat(result.wrong()).isEqualTo(0xFFFF_FFFFL);
        assertThat(result.torn()).isEqualTo(2);
        assertThat(result.calls()).isEqualTo(3);
        assertThat(result.nanos()).isEqualTo(1L << 40);
        // Blocks 1 and 3 of 4: from 97 to 203. A block that never ended: no time.
        assertThat(result.nanos(1, 2, 4)).isEqualTo(203 - 97);
        assertThat(result.nanos(0, 1, 5)).isZero();
        memory.putInt(at("result.code"), at("VC_FAULT_DEADLINE"));
        assertThat(result.ok()).isFalse();
        result.clear();
        assertThat(result.ok()).isTrue();
        assertThat(result.nanos(0, 1, 1)).isZero();
    }

    @Test
    void constantsAreThoseOfC() {
        assertThat(ProbeParameters.DATA_OFFSET).isEqualTo(at("VC_PROBE_DATA_OFFSET"));
        assertThat(ProbeParameters.MAX_PEERS).isEqualTo(at("VC_PROBE_PEERS"));
        assertThat(ProbeParameters.MAX_BLOCKS).isEqualTo(at("VC_PROBE_BLOCKS"));
        assertThat(Region.ABI_VERSION).isEqualTo(at("VC_ABI_VERSION"));
        assertThat(Region.MAX_WORLD).isEqualTo(at("VC_MAX_WORLD"));
        assertThat(Region.SLOTS_OFFSET).isEqualTo(at("VC_SLOTS_OFFSET"));
        assertThat(Region.ENTRIES_OFFSET).isEqualTo(at("VC_ENTRIES_OFFSET"));
        assertThat(Geometry.MAX_THREADS).isEqualTo(at("VC_MAX_THREADS"));
        assertThat(Geometry.MAX_BLOCKS).isEqualTo(at("VC_MAX_BLOCKS"));
    }

    @Test
    void everyAlgorithmReservesWhatCSays() {
        for (final var algorithm : IpcAlgorithm.values()) {
            final var name = inC(algorithm);
            assertThat(Region.slotFill(algorithm) & 0xFF).as(name).isEqualTo(at("fill " + name));
            assertThat(algorithm.throughHost()).as(name + " has a board").isEqualTo(at("board " + name + " 2 1") != 0);
            for (final var world : Requirements.WORLDS) {
                for (final var packs : PACKS) {
                    final var key = name + " " + world + " " + packs;
                    assertThat(Region.bytes(algorithm, packs, world)).as(key).isEqualTo(ABI.get("region " + key));
                    assertThat(Region.boardBytes(algorithm, packs, world)).as(key).isEqualTo(ABI.get("board " + key));
                    assertThat(Region.partPacks(packs, world)).as(key).isEqualTo(at("part " + world + " " + packs));
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(IpcAlgorithm.class)
    void anAlgorithmIsOfTheKindThatCSays(final IpcAlgorithm algorithm) {
        final var name = inC(algorithm);
        assertThat(algorithm.pulls()).as("pulls").isEqualTo(at("pulls " + name) != 0);
        assertThat(algorithm.sendsFlags()).as("sends flags").isEqualTo(at("flags " + name) != 0);
        assertThat(algorithm.twoShot()).as("two-shot").isEqualTo(at("two-shot " + name) != 0);
    }
}
