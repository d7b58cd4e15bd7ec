package org.verifycycle.cli;

/** Exit codes of the program, the same for all commands. */
enum ExitCode {
    OK(0),
    USAGE(1),
    WRONG_RESULTS(2),
    REGRESSION(3),
    MISSING_DATA(4),
    ENVIRONMENT_UNFIT(5),
    CONFIGURATION_FAILED(6);

    private final int code;

    ExitCode(final int code) {
        this.code = code;
    }

    int code() {
        return code;
    }
}
