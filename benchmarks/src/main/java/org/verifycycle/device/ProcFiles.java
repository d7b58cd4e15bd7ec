package org.verifycycle.device;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** What the text files of {@code /proc} and {@code /sys} say: pure functions of their text; empty where it says nothing. */
final class ProcFiles {
    /** x86 says "model name", some ARM kernels "Model" or "Hardware", MIPS "cpu model". */
    private static final List<String> CPU_KEYS = List.of("model name", "Model", "Hardware", "cpu model");

    private ProcFiles() {
    }

    /** Model name of the first processor in {@code /proc/cpuinfo}. */
    static Optional<String> cpuModel(final String cpuinfo) {
        return CPU_KEYS.stream().flatMap(key -> value(cpuinfo, key).stream()).filter(v -> !v.isEmpty()).findFirst();
    }

    /** Whether the processor flags in {@code /proc/cpuinfo} tell of a hypervisor; empty where there are no flags (not x86). */
    static Optional<Boolean> hypervisor(final String cpuinfo) {
        return value(cpuinfo, "flags").map(flags -> List.of(flags.split("\\s+")).contains("hypervisor"));
    }

    /** {@code MemTotal} of {@code /proc/meminfo} in bytes. */
    static OptionalLong memoryBytes(final String meminfo) {
        final var match = Pattern.compile("(?m)^MemTotal:\\s+(\\d{1,15}) kB$").matcher(meminfo);
        return match.find() ? OptionalLong.of(Long.parseLong(match.group(1)) * 1024) : OptionalLong.empty();
    }

    /** Load over the last minute from {@code /proc/loadavg}. */
    static OptionalDouble load1m(final String loadavg) {
        final var match = Pattern.compile("^(\\d+(?:\\.\\d+)?)\\s").matcher(loadavg);
        return match.find() ? OptionalDouble.of(Double.parseDouble(match.group(1))) : OptionalDouble.empty();
    }

    /** The choice in brackets, as in {@code always [madvise] never}. */
    static Optional<String> bracketed(final String text) {
        final var match = Pattern.compile("\\[([^\\]]+)]").matcher(text);
        return match.find() ? Optional.of(match.group(1)) : Optional.empty();
    }

    /** Host name up to the first dot. */
    static Optional<String> shortHost(final String hostname) {
        final var first = hostname.strip().split("\\.", 2)[0];
        return first.isEmpty() || first.equals("(none)") ? Optional.empty() : Optional.of(first);
    }

    /** Version of the NVIDIA kernel module in {@code /proc/driver/nvidia/version}, e.g. {@code 580.95.05}. */
    static Optional<String> nvidiaDriver(final String version) {
        final var match = Pattern.compile("(?m)^NVRM version:.*?\\s(\\d+\\.\\d+(?:\\.\\d+)?)\\s").matcher(version);
        return match.find() ? Optional.of(match.group(1)) : Optional.empty();
    }

    private static Optional<String> value(final String text, final String key) {
        return text.lines().map(line -> line.split(":", 2)).filter(f -> f.length == 2 && f[0].strip().equals(key))
                .map(f -> f[1].strip()).findFirst();
    }
}
