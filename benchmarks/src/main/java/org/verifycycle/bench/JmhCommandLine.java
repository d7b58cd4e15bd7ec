package org.verifycycle.bench;

import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.VerboseMode;
import org.verifycycle.collective.CollectiveSpec;
import org.verifycycle.collective.Collectives;
import org.verifycycle.collective.Configuration;
import org.verifycycle.collective.Dtype;
import org.verifycycle.collective.Launch;
import org.verifycycle.collective.Skew;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Plain JMH use of the jar: arguments go to JMH unchanged, with the group time added to what it shows. */
public final class JmhCommandLine {
    private JmhCommandLine() {
    }

    /**
     * @throws IllegalArgumentException on what JMH would take silently and measure something else, or nothing, or only find out in a fork:
     *     names that are no benchmark's or no parameter's, values that no configuration has, more threads than rank 0 is
     */
    public static void run(final String[] args) throws IOException {
        checkParameterNames(args);
        check(args);
        final var all = new ArrayList<>(Arrays.asList(args));
        final var profiler = GroupTimeProfiler.class.getName();
        if (!all.contains(profiler)) {
            all.addAll(List.of("-prof", profiler));
        }
        org.openjdk.jmh.Main.main(all.toArray(String[]::new));
    }

    static void checkParameterNames(final String[] args) {
        final var known = parameters().map(Field::getName).collect(Collectors.toCollection(TreeSet::new));
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

    private static void check(final String[] args) {
        final CommandLineOptions options;
        try {
            options = new CommandLineOptions(args);
        } catch (final CommandLineOptionException e) {
            return; // JMH says it itself.
        }
        if (options.shouldHelp() || options.shouldList() || options.shouldListWithParams() || options.shouldListProfilers() || options.shouldListResultFormats()) {
            return;
        }
        if (options.getThreads().hasValue() && options.getThreads().get() != 1 || options.getThreadGroups().hasValue()) {
            throw new IllegalArgumentException("-t, -tg: rank 0 is one thread; -p world=N sets the number of ranks");
        }
        checkNames(options);
        checkConfigurations(options);
    }

    private static void checkNames(final Options options) {
        final var silent = OutputFormatFactory.createFormatInstance(new PrintStream(OutputStream.nullOutputStream()), VerboseMode.SILENT);
        final var list = BenchmarkList.defaultList();
        for (final var include : options.getIncludes()) {
            if (list.find(silent, List.of(include), List.of()).isEmpty()) {
                throw new IllegalArgumentException("'" + include + "' is neither a command (--help lists them) nor found in the name of a benchmark (-l lists them)");
            }
        }
    }

    /** Every combination that JMH would make. */
    private static void checkConfigurations(final Options options) {
        List<Map<String, String>> combinations = List.of(Map.of());
        for (final var field : parameters().toList()) {
            final var values = options.getParameter(field.getName()).orElse(List.of(field.getAnnotation(Param.class).value()));
            combinations = combinations.stream().flatMap(c -> values.stream().map(value -> with(c, field.getName(), value))).toList();
        }
        combinations.forEach(JmhCommandLine::checkConfiguration);
    }

    private static void checkConfiguration(final Map<String, String> p) {
        final var collective = Collectives.installed().find(CollectiveSpec.parse(p.get("collective")));
        final var configuration = new Configuration(collective.spec(), number(p, "world"), number(p, "bytes"), Dtype.parse(p.get("dtype")), Launch.parse(p.get("launch")), number(p, "calls"),
                Skew.parse(p.get("skew")));
        collective.unsupported(configuration).ifPresent(reason -> {
            throw new IllegalArgumentException(configuration + ": " + reason);
        });
    }

    private static Stream<Field> parameters() {
        return Arrays.stream(GroupState.class.getFields()).filter(f -> f.isAnnotationPresent(Param.class));
    }

    private static Map<String, String> with(final Map<String, String> combination, final String name, final String value) {
        final var more = new HashMap<>(combination);
        more.put(name, value);
        return more;
    }

    private static int number(final Map<String, String> parameters, final String name) {
        try {
            return Integer.parseInt(parameters.get(name));
        } catch (final NumberFormatException e) {
            throw new IllegalArgumentException("-p " + name + "=" + parameters.get(name) + " is not a whole number", e);
        }
    }
}
