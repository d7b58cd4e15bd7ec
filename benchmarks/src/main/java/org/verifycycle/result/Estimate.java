package org.verifycycle.result;

import java.util.Optional;

/**
 * What a configuration's verify cycle costs. Times are group times of one cycle in nanoseconds.
 *
 * @param medianNanos       median over rounds of the per-round median
 * @param interval          95 % interval of that, absent with fewer than three rounds
 * @param p50Nanos          percentiles of all recorded cycles
 * @param skewMedianNanos   median over rounds of the per-round median skew
 * @param rounds            rounds with times
 * @param cycles            recorded cycles in all rounds
 * @param outliers          cycles beyond Tukey's outer fences of their round; counted, never dropped
 */
public record Estimate(double medianNanos, Optional<Interval> interval, double p50Nanos, double p95Nanos, double p99Nanos,
                       double maxNanos, double skewMedianNanos, int rounds, long cycles, long outliers) { }
