package org.verifycycle.result;

import org.verifycycle.device.Machine;
import org.verifycycle.device.SharedMemory;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Makes the {@link Environment} of a run by allow-list. Results are published: so no user name, no path, no address, and of
 * the process environment only the variables named here, and of those only values that look like a setting.
 */
public final class EnvironmentCollector {
    /** Set or not is what matters, or the value is a path (which tends to hold a user name). */
    static final String SET = "(set)";

    /** Variables that change what an all-reduce costs. By name, never by prefix: NCCL_* has room for paths and addresses. */
    private static final List<String> VARIABLES = List.of(
            "NCCL_ALGO", "NCCL_PROTO", "NCCL_DEBUG", "NCCL_NTHREADS", "NCCL_BUFFSIZE", "NCCL_LL_BUFFSIZE", "NCCL_LL128_BUFFSIZE",
            "NCCL_MIN_NCHANNELS", "NCCL_MAX_NCHANNELS", "NCCL_MIN_CTAS", "NCCL_MAX_CTAS", "NCCL_CGA_CLUSTER_SIZE",
            "NCCL_P2P_DISABLE", "NCCL_P2P_LEVEL", "NCCL_P2P_DIRECT_DISABLE", "NCCL_P2P_USE_CUDA_MEMCPY", "NCCL_SHM_DISABLE",
            "NCCL_NVLS_ENABLE", "NCCL_NVLS_NCHANNELS", "NCCL_CUMEM_ENABLE", "NCCL_CUMEM_HOST_ENABLE", "NCCL_WIN_ENABLE",
            "NCCL_SYM_NOWIN_ENABLE", "NCCL_SYM_CTAS", "NCCL_SYM_KERNEL", "NCCL_LOCAL_REGISTER", "NCCL_GRAPH_REGISTER", "NCCL_GRAPH_MIXING_SUPPORT", "NCCL_LAUNCH_MODE",
            "NCCL_LAUNCH_ORDER_IMPLICIT", "NCCL_IB_DISABLE", "NCCL_NET", "NCCL_CROSS_NIC", "NCCL_RUNTIME_CONNECT", "NCCL_LIB", "NCCL_TOPO_FILE",
            "NCCL_TUNER_PLUGIN", "NCCL_CONF_FILE",
            "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER", "CUDA_LAUNCH_BLOCKING", "CUDA_DEVICE_MAX_CONNECTIONS", "CUDA_MODULE_LOADING",
            "CUDA_FORCE_PTX_JIT", "CUDA_DISABLE_PTX_JIT", "CUDA_HOME",
            "CUDA_MPS_PIPE_DIRECTORY", "CUDA_MPS_LOG_DIRECTORY", "CUDA_MPS_ACTIVE_THREAD_PERCENTAGE", "CUDA_MPS_PINNED_DEVICE_MEM_LIMIT",
            "CUDA_MPS_CLIENT_PRIORITY", "NVIDIA_VISIBLE_DEVICES",
            "SGLANG_CUSTOM_ALLREDUCE_ALGO", "SGLANG_FORCE_CUSTOM_AR_PCIE", "SGLANG_OPT_USE_CUSTOM_ALL_REDUCE_V2", "VLLM_CUSTOM_ALLREDUCE_ALGO", "VLLM_ALLREDUCE_USE_SYMM_MEM",
            "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS");
    /** Numbers, names, lists and device ids: no '/', '@', '$' or quotes, so no path, address or command. */
    private static final Pattern SETTING = Pattern.compile("[A-Za-z0-9 ,.;:=^+_-]{0,120}");
    /** Whole command lines of their own. */
    private static final List<String> NEVER_SHOWN = List.of("JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS");

    private EnvironmentCollector() {
    }

    /**
     * @param devices one line per GPU
     * @param more    further facts (driver, library versions), added to those of the machine
     */
    public static Environment collect(final Machine machine, final List<String> devices, final Map<String, String> more) {
        final var build = BuildInfo.read();
        final var facts = facts(machine, build);
        facts.putAll(more);
        final var jvm = System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version") + " (" + System.getProperty("java.vendor") + ")";
        return new Environment(machine.host(), machine.os(), machine.cpu(), machine.cores(), machine.memoryBytes() >> 20, jvm, build.commit(),
                devices, variables(System.getenv()), facts);
    }

    /** The variables of a process environment that are on the list. */
    static SortedMap<String, String> variables(final Map<String, String> environment) {
        final var shown = new TreeMap<String, String>();
        for (final var name : VARIABLES) {
            final var value = environment.get(name);
            if (value != null) {
                shown.put(name, SETTING.matcher(value).matches() && !NEVER_SHOWN.contains(name) ? value : SET);
            }
        }
        return shown;
    }

    /**
     * What differs between two environments so that their times don't belong in one run: for {@code --resume}.
     *
     * @param facts names of those that must be the same, beside machine, JVM, build, devices and variables
     * @return a line for each, e.g. {@code commit was a1b2c3d, is e4f5a6b}; empty if they may be mixed
     */
    public static List<String> differences(final Environment was, final Environment is, final List<String> facts) {
        final var differences = new ArrayList<String>();
        compare(differences, "host", was.host(), is.host());
        compare(differences, "OS", was.os(), is.os());
        compare(differences, "CPU", was.cpu(), is.cpu());
        compare(differences, "cores", Integer.toString(was.cores()), Integer.toString(is.cores()));
        compare(differences, "JVM", was.jvm(), is.jvm());
        compare(differences, "commit", was.commit(), is.commit());
        compare(differences, "devices", was.devices().toString(), is.devices().toString());
        final var names = new TreeSet<>(was.variables().keySet());
        names.addAll(is.variables().keySet());
        for (final var name : names) {
            compare(differences, name, was.variables().getOrDefault(name, "not set"), is.variables().getOrDefault(name, "not set"));
        }
        for (final var name : facts) {
            compare(differences, name, was.facts().getOrDefault(name, Machine.UNKNOWN), is.facts().getOrDefault(name, Machine.UNKNOWN));
        }
        return differences;
    }

    private static void compare(final List<String> differences, final String what, final String was, final String is) {
        if (!was.equals(is)) {
            differences.add(what + " was " + was + ", is " + is);
        }
    }

    private static SortedMap<String, String> facts(final Machine machine, final BuildInfo build) {
        final var facts = new TreeMap<String, String>();
        facts.put("programVersion", build.version());
        facts.put("cpuGovernor", machine.governor());
        facts.put("loadAverage1m", machine.load1m().isPresent() ? String.format(Locale.ROOT, "%.2f", machine.load1m().getAsDouble()) : Machine.UNKNOWN);
        facts.put("transparentHugePages", machine.hugePages());
        facts.put("transparentHugePagesShared", machine.sharedHugePages());
        facts.put("virtualised", machine.virtualised());
        facts.put("sharedMemory", sharedMemory(machine.sharedMemory()));
        facts.put("sharedMemoryFreeMiB", machine.sharedMemory().freeBytes() < 0 ? Machine.UNKNOWN : Long.toString(machine.sharedMemory().freeBytes() >> 20));
        return facts;
    }

    /** Without the path of a folder that the user chose. */
    private static String sharedMemory(final SharedMemory memory) {
        return switch (memory.choice()) {
            case DEV_SHM -> "/dev/shm";
            case TEMPORARY_FOLDER -> "temporary folder";
            case GIVEN -> "folder given by the user";
        };
    }
}
