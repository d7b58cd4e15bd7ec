package org.verifycycle.economics;

/**
 * Of a deployment that serves one sequence.
 *
 * @param perGpuHour in any currency
 */
public record Price(double perGpuHour, int gpus) {
    private static final double SECONDS_PER_HOUR = 3_600;
    private static final double MILLION = 1e6;

    public Price {
        Checks.notNegative("price per GPU-hour", perGpuHour);
        Checks.positive("GPUs", gpus);
    }

    /** price x GPUs / 3,600 / tokens per second x 10^6. */
    public double perMillionTokens(final double tokensPerSecond) {
        return perGpuHour * gpus / SECONDS_PER_HOUR / Checks.positive("tokens per second", tokensPerSecond) * MILLION;
    }
}
