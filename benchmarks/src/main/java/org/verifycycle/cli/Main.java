package org.verifycycle.cli;

/** Entry point of {@code benchmarks.jar}. */
public final class Main {
    private Main() {
    }

    public static void main(final String[] args) throws Exception {
        org.verifycycle.bench.JmhCommandLine.run(args);
    }
}
