package org.verifycycle.economics;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** Assumptions, a choice at a time. */
public final class Assumed {
    private Optional<KnownCase> knownCase = Optional.empty();
    private OptionalInt drafts = OptionalInt.empty();
    private OptionalDouble tokens = OptionalDouble.empty();
    private OptionalDouble rate = OptionalDouble.empty();
    private OptionalDouble draft = OptionalDouble.empty();
    private OptionalDouble compute = OptionalDouble.empty();
    private OptionalInt calls = OptionalInt.empty();
    private List<Double> times = List.of();
    private OptionalDouble baselineRate = OptionalDouble.empty();
    private OptionalDouble baselineCompute = OptionalDouble.empty();
    private OptionalInt baselineCalls = OptionalInt.empty();
    private OptionalDouble baselineCall = OptionalDouble.empty();
    private boolean solve;
    private OptionalDouble price = OptionalDouble.empty();
    private OptionalInt gpus = OptionalInt.empty();

    public Assumed ofCase(final String name) {
        knownCase = Optional.of(KnownCase.of(name));
        return this;
    }

    public Assumed drafts(final int count) {
        drafts = OptionalInt.of(count);
        return this;
    }

    public Assumed tokens(final double perCycle) {
        tokens = OptionalDouble.of(perCycle);
        return this;
    }

    public Assumed rate(final double perDraft) {
        rate = OptionalDouble.of(perDraft);
        return this;
    }

    public Assumed draftMillis(final double millis) {
        draft = OptionalDouble.of(millis * 1e6);
        return this;
    }

    public Assumed computeMillis(final double millis) {
        compute = OptionalDouble.of(millis * 1e6);
        return this;
    }

    public Assumed calls(final int count) {
        calls = OptionalInt.of(count);
        return this;
    }

    public Assumed callMicros(final Double... micros) {
        times = List.of(micros).stream().map(m -> m * 1e3).toList();
        return this;
    }

    public Assumed baselineRate(final double tokensPerSecond) {
        baselineRate = OptionalDouble.of(tokensPerSecond);
        return this;
    }

    public Assumed baselineComputeMillis(final double millis) {
        baselineCompute = OptionalDouble.of(millis * 1e6);
        return this;
    }

    public Assumed baselineCalls(final int count) {
        baselineCalls = OptionalInt.of(count);
        return this;
    }

    public Assumed baselineCallMicros(final double micros) {
        baselineCall = OptionalDouble.of(micros * 1e3);
        return this;
    }

    public Assumed solveForCompute() {
        solve = true;
        return this;
    }

    public Assumed price(final double perGpuHour) {
        price = OptionalDouble.of(perGpuHour);
        return this;
    }

    public Assumed gpus(final int count) {
        gpus = OptionalInt.of(count);
        return this;
    }

    public Assumptions all() {
        return new Assumptions(knownCase, drafts, tokens, rate, draft, compute, baselineCompute, OptionalDouble.empty(), calls, times, baselineCalls, baselineCall,
                baselineRate, solve, price, gpus);
    }

    public Account alone() {
        return all().account(Optional.empty());
    }
}
