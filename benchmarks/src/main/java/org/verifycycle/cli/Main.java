package org.verifycycle.cli;

import org.verifycycle.bench.EnvironmentUnfitException;
import org.verifycycle.bench.JmhCommandLine;
import org.verifycycle.result.ResultException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.util.Arrays;
import java.util.Set;

/**
 * Entry point of {@code benchmarks.jar}: nothing gives {@code run}; a first word that is a command of ours, that command;
 * anything else goes to JMH unchanged.
 */
@Command(name = "benchmarks.jar", mixinStandardHelpOptions = true, versionProvider = Version.class,
        subcommands = {RunCommand.class, ReportCommand.class, ExplainCommand.class, DoctorCommand.class, EconomicsCommand.class, CommandLine.HelpCommand.class},
        synopsisSubcommandLabel = "[COMMAND | JMH arguments]",
        header = "Which all-reduce this machine should use for a speculative-decoding verify cycle, and what the cycle costs.",
        description = "Without arguments: run the default plan for this machine, then report. What is no command goes to JMH unchanged (-l, -p, -f, -rf json, ...; -h for its help).",
        footer = {"", "Exit codes: 0 ok, 1 usage, 2 wrong results, 3 regression, 4 missing or undecided data, 5 environment unfit, 6 a configuration failed"})
public final class Main {
    private static final Set<String> OURS = Set.of("run", "report", "explain", "doctor", "economics", "help", "--help", "--version", "-V", "--debug");

    /** Names that are to be commands: JMH would take them for patterns, and measure. */
    private static final Set<String> NOT_YET = Set.of("compare", "gate");

    @Option(names = "--debug", scope = CommandLine.ScopeType.INHERIT, description = "Show stack traces of errors.")
    private boolean debug;

    private Main() {
    }

    public static void main(final String[] args) throws Exception {
        // Charts need no display, and must not wait for one.
        System.setProperty("java.awt.headless", "true");
        if (args.length > 0 && NOT_YET.contains(args[0])) {
            System.err.println("error: there is no command '" + args[0] + "' yet; report DIR reads one run (java -jar benchmarks.jar --help lists the commands)");
            System.exit(ExitCode.USAGE.code());
        }
        if (args.length > 0 && !OURS.contains(args[0])) {
            try {
                JmhCommandLine.run(args);
            } catch (final IllegalArgumentException e) {
                System.err.println("error: " + e.getMessage());
                System.exit(ExitCode.USAGE.code());
            }
            return;
        }
        System.exit(execute(args.length == 0 ? new String[] {"run"} : args));
    }

    static int execute(final String[] args) {
        final var commandLine = new CommandLine(new Main());
        commandLine.setParameterExceptionHandler((e, given) -> {
            System.err.println("error: " + e.getMessage());
            System.err.println("see: java -jar benchmarks.jar " + e.getCommandLine().getCommandSpec().qualifiedName(" ").replaceFirst("benchmarks.jar ?", "") + " --help");
            return ExitCode.USAGE.code();
        });
        commandLine.setExecutionExceptionHandler((e, failed, result) -> {
            System.err.println("error: " + (e.getMessage() == null ? e.toString() : e.getMessage()));
            if (Arrays.asList(args).contains("--debug")) {
                e.printStackTrace();
            } else if (!expected(e)) {
                System.err.println("this should not happen; run it again with --debug and report what it prints");
            }
            return codeOf(e).code();
        });
        return commandLine.execute(args);
    }

    private static boolean expected(final Exception e) {
        return e instanceof UsageException || e instanceof ResultException || e instanceof EnvironmentUnfitException;
    }

    private static ExitCode codeOf(final Exception e) {
        if (e instanceof UsageException) {
            return ExitCode.USAGE;
        }
        if (e instanceof ResultException r && r.kind() == ResultException.Kind.UNREADABLE) {
            return ExitCode.MISSING_DATA;
        }
        return e instanceof ResultException || e instanceof EnvironmentUnfitException ? ExitCode.ENVIRONMENT_UNFIT : ExitCode.CONFIGURATION_FAILED;
    }
}
