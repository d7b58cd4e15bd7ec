package org.verifycycle.bench;

import org.openjdk.jmh.annotations.Param;

import java.io.IOException;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Plain JMH use of the jar: arguments go to JMH unchanged, with the group time added to what it shows. */
public final class JmhCommandLine {
    private JmhCommandLine() {
    }

    /**
     * @throws IllegalArgumentException on a {@code -p} name that no benchmark has; JMH would ignore it silently and measure
     *     something else than was asked for
     */
    public static void run(final String[] args) throws IOException {
        checkParameterNames(args);
        final var all = new ArrayList<>(Arrays.asList(args));
        final var profiler = GroupTimeProfiler.class.getName();
        if (!all.contains(profiler)) {
            all.addAll(List.of("-prof", profiler));
        }
        org.openjdk.jmh.Main.main(all.toArray(String[]::new));
    }

    static void checkParameterNames(final String[] args) {
        final var known = Arrays.stream(GroupState.class.getFields()).filter(f -> f.isAnnotationPresent(Param.class))
                .map(Field::getName).collect(Collectors.toCollection(TreeSet::new));
        for (int i = 0; i < args.length; i++) {
            if (!args[i].startsWith("-p") || args[i].startsWith("-prof")) {
                continue;
            }
            final var value = args[i].length() > 2 ? args[i].substring(2) : i + 1 < args.length ? args[i + 1] : "";
            final var name = value.split("=", 2)[0];
            if (!known.contains(name)) {
                throw new IllegalArgumentException("unknown parameter '" + name + "' in -p; known: " + String.join(", ", known));
            }
        }
    }
}
