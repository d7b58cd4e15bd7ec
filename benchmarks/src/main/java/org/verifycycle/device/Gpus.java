package org.verifycycle.device;

import jcuda.driver.CUdevice;
import jcuda.driver.CUdevice_attribute;
import jcuda.driver.CUresult;
import jcuda.driver.CUuuid;
import jcuda.driver.JCudaDriver;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

import static org.verifycycle.device.CudaDriver.check;

/**
 * The GPUs that this process may use (CUDA_VISIBLE_DEVICES counts).
 *
 * @param problem       why there are none, for a person
 * @param driverVersion the newest CUDA the driver supports, e.g. 13000; 0 without a driver
 * @param peers         pairs of different GPUs of which the first can reach the second's memory
 */
public record Gpus(Optional<String> problem, int driverVersion, List<Gpu> all, Set<Pair> peers) {
    /** Facts that say on which driver and GPUs a run was made: others are another box, be they of the same kind. */
    public static final List<String> BINDING_FACTS = List.of("cudaDriver", "nvidiaDriver", "gpuIds");
    private static final String UNKNOWN_ID = "unknown";
    private static final int NAME_BYTES = 256;
    private static final int BUS_ID_BYTES = 32;
    private static final int ID_BYTES = 4;

    public Gpus {
        all = List.copyOf(all);
        peers = Set.copyOf(peers);
    }

    /** Ordinals of two GPUs. */
    public record Pair(int from, int to) { }

    /** Asks the driver; creates no context, so it takes no memory of a GPU. */
    public static Gpus detect() {
        final var problem = CudaDriver.unavailable();
        if (problem.isPresent()) {
            return none(problem.get());
        }
        try {
            final var count = new int[1];
            check(JCudaDriver.cuDeviceGetCount(count), "cuDeviceGetCount");
            final var gpus = new ArrayList<Gpu>();
            for (int i = 0; i < count[0]; i++) {
                gpus.add(gpu(i));
            }
            return gpus.isEmpty() ? none("the NVIDIA driver finds no GPU") : new Gpus(Optional.empty(), CudaDriver.version(), gpus, peers(count[0]));
        } catch (final CudaException e) {
            return none(e.getMessage());
        }
    }

    /** No GPUs, and why. */
    public static Gpus none(final String problem) {
        return new Gpus(Optional.of(problem), 0, List.of(), Set.of());
    }

    public int count() {
        return all.size();
    }

    /** Whether each of the two can reach the other's memory. */
    public boolean reachEachOther(final int one, final int other) {
        return one == other || peers.contains(new Pair(one, other)) && peers.contains(new Pair(other, one));
    }

    /** What results say about the driver, and which GPUs these are. */
    public Map<String, String> facts() {
        final var facts = new TreeMap<String, String>();
        if (driverVersion > 0) {
            facts.put("cudaDriver", CudaDriver.version(driverVersion));
            Machine.text(Path.of("/proc/driver/nvidia/version")).flatMap(ProcFiles::nvidiaDriver).ifPresent(version -> facts.put("nvidiaDriver", version));
        }
        if (!all.isEmpty()) {
            facts.put("gpuIds", all.stream().map(Gpu::uuidPrefix).collect(Collectors.joining(" ")));
        }
        return facts;
    }

    /** The driver's handle of a GPU. */
    public static CUdevice device(final int index) {
        final var device = new CUdevice();
        check(JCudaDriver.cuDeviceGet(device, index), "cuDeviceGet of GPU " + index);
        return device;
    }

    private static Gpu gpu(final int index) {
        final var device = device(index);
        final var name = new byte[NAME_BYTES];
        check(JCudaDriver.cuDeviceGetName(name, name.length, device), "cuDeviceGetName of GPU " + index);
        final var memory = new long[1];
        check(JCudaDriver.cuDeviceTotalMem(memory, device), "cuDeviceTotalMem of GPU " + index);
        final var bus = new String[1];
        check(JCudaDriver.cuDeviceGetPCIBusId(bus, BUS_ID_BYTES, device), "cuDeviceGetPCIBusId of GPU " + index);
        return new Gpu(index, text(name), 10 * attribute(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)
                + attribute(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR), memory[0], bus[0].strip(),
                attribute(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT), uuidPrefix(device));
    }

    /** For people and {@code --resume}: no measurement depends on it. */
    private static String uuidPrefix(final CUdevice device) {
        final var uuid = new CUuuid();
        return JCudaDriver.cuDeviceGetUuid(uuid, device) == CUresult.CUDA_SUCCESS ? HexFormat.of().formatHex(uuid.bytes, 0, ID_BYTES) : UNKNOWN_ID;
    }

    private static Set<Pair> peers(final int count) {
        final var peers = new HashSet<Pair>();
        for (int from = 0; from < count; from++) {
            for (int to = 0; to < count; to++) {
                if (from != to) {
                    final var can = new int[1];
                    check(JCudaDriver.cuDeviceCanAccessPeer(can, device(from), device(to)), "cuDeviceCanAccessPeer of GPUs " + from + " and " + to);
                    if (can[0] != 0) {
                        peers.add(new Pair(from, to));
                    }
                }
            }
        }
        return peers;
    }

    private static int attribute(final CUdevice device, final int attribute) {
        final var value = new int[1];
        check(JCudaDriver.cuDeviceGetAttribute(value, attribute, device), "cuDeviceGetAttribute " + CUdevice_attribute.stringFor(attribute));
        return value[0];
    }

    private static String text(final byte[] bytes) {
        int length = 0;
        while (length < bytes.length && bytes[length] != 0) {
            length++;
        }
        return new String(bytes, 0, length, StandardCharsets.UTF_8).strip();
    }
}
