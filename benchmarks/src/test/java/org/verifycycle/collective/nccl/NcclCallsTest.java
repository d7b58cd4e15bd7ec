package org.verifycycle.collective.nccl;

import com.sun.jna.Memory;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.verifycycle.device.ProcessVariables;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;

import static org.assertj.core.api.Assertions.assertThat;

/** What arrives on the C side of each call. */
class NcclCallsTest {
    @TempDir
    private static Path folder;

    @BeforeAll
    static void bind() {
        final var library = NativeLibrary.getInstance(FakeNccl.build(folder).toString());
        NcclCalls.bind(library);
        NcclCalls.Windows.bind(library);
        FakeNccl.writeTo(folder);
    }

    @BeforeEach
    void forget() throws IOException {
        Files.deleteIfExists(folder.resolve("nccl." + ProcessHandle.current().pid()));
        ProcessVariables.set("FAKE_NCCL_FAIL", "");
    }

    @Test
    void theIdIsPassedByValueWithAllOfIts128Bytes() throws IOException {
        final var id = new NcclCalls.UniqueId.ByValue();
        for (int i = 0; i < id.internal.length; i++) {
            id.internal[i] = (byte) (i * 37 + 11);
        }
        initialise(id);
        assertThat(FakeNccl.calls(folder)).anyMatch(l -> l.startsWith("ncclCommInitRankConfig rank=0 world=1 id=%016x ".formatted(fnv(id.internal))));
    }

    @Test
    void theConfigurationIsThatOfNccl217WithEverythingUnsetButBlocking() throws IOException {
        initialise(new NcclCalls.UniqueId.ByValue());
        final var undefined = NcclConfig.UNDEFINED;
        final var expected = ByteBuffer.allocate(48).order(ByteOrder.LITTLE_ENDIAN).putLong(48).putInt(0xcafebeef).putInt(21_700)
                .putInt(1).putInt(undefined).putInt(undefined).putInt(undefined).putLong(0).putInt(undefined).putInt(0).array();
        assertThat(FakeNccl.calls(folder)).anyMatch(l -> l.endsWith("config=" + HexFormat.of().formatHex(expected)));
    }

    @Test
    void anAllReduceGetsItsBuffersCountTypeAndOperation() throws IOException {
        final var communicator = initialise(new NcclCalls.UniqueId.ByValue());
        final var input = new Memory(16);
        final var output = new Memory(16);
        input.write(0, new float[] {1, 2, 3, 4}, 0, 4);
        assertThat(NcclCalls.ncclAllReduce(Pointer.nativeValue(input), Pointer.nativeValue(output), 4, NcclCalls.FLOAT32, NcclCalls.SUM, communicator, 0)).isZero();
        assertThat(output.getFloatArray(0, 4)).containsExactly(1, 2, 3, 4);
        assertThat(FakeNccl.calls(folder)).contains("ncclAllReduce count=4 dtype=7 op=0 in_place=0");
        assertThat(NcclCalls.ncclCommDestroy(communicator)).isZero();
    }

    @Test
    void aWindowIsSymmetric() throws IOException {
        final var communicator = initialise(new NcclCalls.UniqueId.ByValue());
        final var pointer = new Memory(Long.BYTES);
        assertThat(NcclCalls.Windows.ncclMemAlloc(Pointer.nativeValue(pointer), 4096)).isZero();
        final var memory = pointer.getLong(0);
        assertThat(NcclCalls.Windows.ncclCommWindowRegister(communicator, memory, 4096, Pointer.nativeValue(pointer), NcclCalls.Windows.COLLECTIVE_SYMMETRIC)).isZero();
        assertThat(NcclCalls.Windows.ncclCommWindowDeregister(communicator, pointer.getLong(0))).isZero();
        assertThat(NcclCalls.Windows.ncclMemFree(memory)).isZero();
        assertThat(FakeNccl.calls(folder)).containsSequence("ncclMemAlloc 4096", "ncclCommWindowRegister 4096 flags=1", "ncclCommWindowDeregister", "ncclMemFree");
    }

    @Test
    void whatNcclSaysOfAFailureCanBeRead() {
        ProcessVariables.set("FAKE_NCCL_FAIL", "ncclGetUniqueId=5");
        final var id = new Memory(NcclCalls.UNIQUE_ID_BYTES);
        assertThat(NcclCalls.ncclGetUniqueId(Pointer.nativeValue(id))).isEqualTo(5);
        assertThat(NcclCalls.ncclGetErrorString(5)).startsWith("invalid usage");
        assertThat(NcclCalls.ncclGetLastError(0)).isEqualTo("ncclGetUniqueId was told to fail");
    }

    private static long initialise(final NcclCalls.UniqueId.ByValue id) {
        final var pointer = new Memory(Long.BYTES);
        final var config = NcclConfig.blocking();
        assertThat(NcclCalls.ncclCommInitRankConfig(Pointer.nativeValue(pointer), 1, id, 0, Pointer.nativeValue(config))).isZero();
        return pointer.getLong(0);
    }

    /** FNV-1a, as in fake_nccl.c. */
    private static long fnv(final byte[] bytes) {
        long hash = 1469598103934665603L;
        for (final var b : bytes) {
            hash = (hash ^ (b & 0xFF)) * 1099511628211L;
        }
        return hash;
    }
}
