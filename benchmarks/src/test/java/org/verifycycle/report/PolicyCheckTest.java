package org.verifycycle.report;

import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.verifycycle.chart.RunFixture;
import org.verifycycle.chart.RunView;
import org.verifycycle.device.Fabric;
import org.verifycycle.result.Environment;
import org.verifycycle.result.Run;
import org.verifycycle.stats.RunAnalysis;
import org.verifycycle.stats.RunAnalysis.Answer;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

/** Eight ranks; nccl/default is the baseline and the fixture's slowest. */
class PolicyCheckTest {
    private static final RunFixture.Made MADE = RunFixture.gpu().make();
    private static final String H200 = "GPU 0: NVIDIA H200, compute capability 9.0, 143771 MiB, PCI 0000:19:00.0";

    private static RunView view(final Optional<String> nvlinkWorld, final Map<String, String> variables) {
        final var e = MADE.run().environment();
        final var facts = new TreeMap<>(e.facts());
        nvlinkWorld.ifPresent(w -> facts.put(PolicyCheck.NVLINK_WORLD, w));
        final var environment = new Environment(e.host(), e.os(), e.cpu(), e.cores(), e.memoryMiB(), e.jvm(), e.commit(), List.of(H200), new TreeMap<>(variables), facts);
        final var r = MADE.run();
        return new RunView(new Run(r.schema(), r.id(), r.startedAt(), r.finishedAt(), r.command(), r.workload(), r.plan(), environment, r.entries(), r.leftOut()), MADE.analysis());
    }

    private static Optional<String> sentence(final String nvlinkWorld, final Map<String, String> variables) {
        return new PolicyCheck(view(Optional.of(nvlinkWorld), variables)).sentence();
    }

    private static double cycleMillis(final String collective) {
        final var entry = MADE.run().entries().stream().filter(e -> e.configuration().bytes() == RunFixture.BYTES && e.configuration().collective().toString().equals(collective)).findFirst().orElseThrow();
        return MADE.analysis().estimates().get(entry.id()).medianNanos() / 1e6;
    }

    private static Optional<String> sentence(final UnaryOperator<Answer> change) {
        final var plain = view(Optional.of("1"), Map.of());
        final var analysis = MADE.analysis();
        return new PolicyCheck(new RunView(plain.run(), new RunAnalysis(analysis.estimates(), analysis.groups(), analysis.answers().stream().map(change).toList()))).sentence();
    }

    private static String ncclId(final Answer answer) {
        return answer.group().baselineId().orElseThrow();
    }

    /** @param silent a pair of eight GPUs that is not in the probe's list */
    private static Optional<String> probed(final Optional<String> problem, final Optional<Integer> silent) {
        final var r = view(Optional.of("8"), Map.of()).run();
        final var pairs = IntStream.range(0, 64).filter(i -> i / 8 != i % 8 && silent.filter(s -> s == i).isEmpty())
                .mapToObj(i -> new Fabric.Pair(i / 8, i % 8, problem, 800, 25, 25, 25, 25, 0, 0, 0, 0, 0, 0)).toList();
        return new PolicyCheck(new RunView(new Run(r.schema(), r.id(), r.startedAt(), r.finishedAt(), r.command(), r.workload(), r.plan(), r.environment(), r.entries(), r.leftOut(),
                Optional.of(new Fabric(Optional.empty(), 1, pairs, List.of(), List.of()))), MADE.analysis())).sentence();
    }

    @Test
    void peerAccessIsAssumedAloudUnlessEveryPairWasProbed() {
        assertThat(probed(Optional.empty(), Optional.empty()).orElseThrow()).startsWith("SGLang would take custom all-reduce, one-shot push here (our kernel of that design: ");
        assertThat(probed(Optional.empty(), Optional.of(10)).orElseThrow()).contains(" here, assuming peer access (our kernel of that design: ");
        assertThat(probed(Optional.of("the driver reports no peer access"), Optional.of(10)).orElseThrow()).startsWith("SGLang would take NCCL here: ");
        // NCCL needs none.
        assertThat(sentence("1", Map.of()).orElseThrow()).startsWith("SGLang would take NCCL here: ");
    }

    @Test
    void onlyWhatIsTiedCanNotBeToldFromTheFastest() {
        assertThat(sentence(a -> new Answer(a.group(), a.bestId(), List.of(ncclId(a)), List.of(), Optional.empty()))).contains("SGLang would take NCCL here: can't be told from the fastest.");
        // Nothing decided against the baseline, but NCCL isn't among the tied.
        assertThat(sentence(a -> new Answer(a.group(), a.bestId(), List.of(), List.of(), Optional.empty())).orElseThrow()).startsWith("SGLang would take NCCL here: it loses ");
    }

    @Test
    void whatWasPassedOverLosesNothing() {
        assertThat(sentence(a -> new Answer(a.group(), a.bestId(), List.of(), List.of(ncclId(a)), Optional.empty()))).contains("SGLang would take NCCL here: faster, but rounds failed.");
    }

    @Test
    void withoutFullNvlinkNcclIsTakenAndWhatThatLosesIsSaid() {
        final var best = MADE.run().entry(MADE.analysis().answers().get(0).bestId()).configuration().collective().toString();
        final var lost = cycleMillis("nccl/default") - cycleMillis(best);
        assertThat(sentence("1", Map.of()).orElseThrow()).startsWith("SGLang would take NCCL here: it loses ")
                .satisfies(s -> assertThat(Double.parseDouble(s.replaceAll(".*loses ([\\d,.]+) (us|ms) a cycle.*", "$1").replace(",", "")) / (s.contains(" us ") ? 1000 : 1)).isCloseTo(lost, Percentage.withPercentage(1)));
    }

    @Test
    void overFullNvlinkItIsThePushKernelAndWasThePullKernel() {
        final var sentinel = "ipc/one-shot-sentinel:blocks=21;pdl=on;threads=128";
        assertThat(sentence("8", Map.of()).orElseThrow()).startsWith("SGLang would take custom all-reduce, one-shot push here, assuming peer access (our kernel of that design: " + sentinel + "): ")
                .contains(". Before May 2026 (sglang#24363), or with SGLANG_OPT_USE_CUSTOM_ALL_REDUCE_V2=0, custom all-reduce, 1stage (one-shot pull), assuming peer access (our kernel of that design: ipc/one-shot-pull): the fastest here.");
        assertThat(sentence("8", Map.of("SGLANG_CUSTOM_ALLREDUCE_ALGO", "2stage")).orElseThrow()).contains("(our kernel of that design: " + sentinel + ")", "(our kernel of that design: ipc/two-shot-pull)");
        assertThat(sentence("8", Map.of("SGLANG_OPT_USE_CUSTOM_ALL_REDUCE_V2", "0")).orElseThrow())
                .startsWith("SGLang would take custom all-reduce, 1stage (one-shot pull) here, assuming peer access (our kernel of that design: ipc/one-shot-pull): ").doesNotContain("Before");
    }

    @Test
    void fourOfEightWithNvlinkAreNotFullNvlink() {
        assertThat(sentence("4", Map.of()).orElseThrow()).startsWith("SGLang would take NCCL here");
    }

    @Test
    void everyEngineHasARow() {
        final var section = new PolicyCheck(view(Optional.of("8"), Map.of())).section().orElseThrow();
        final var table = (Block.Table) section.blocks().get(0);
        assertThat(table.rows()).extracting(r -> r.get(1)).containsExactly("sglang", "sglang-push", "vllm");
        // The fixture's sentinel kernel has dependent launch, as the push kernels have.
        assertThat(table.rows().get(1)).contains("ipc/one-shot-sentinel:blocks=21;pdl=on;threads=128");
    }

    @Test
    void nothingIsSaidOfLinksThatTheRunDoesNotTell() {
        assertThat(new PolicyCheck(view(Optional.empty(), Map.of())).sentence()).isEmpty();
        assertThat(new PolicyCheck(view(Optional.of("many"), Map.of())).sentence()).isEmpty();
        assertThat(new PolicyCheck(RunFixture.host().make().view()).section()).isEmpty();
    }

    @Test
    void aValueThatTheEngineRefusesIsShownAsTheReason() {
        final var variables = Map.of("SGLANG_CUSTOM_ALLREDUCE_ALGO", "(set)");
        final var why = "value '(set)' of SGLANG_CUSTOM_ALLREDUCE_ALGO is not valid; known: 1stage, oneshot, 2stage, twoshot";
        assertThat(sentence("8", variables)).contains("What SGLang would take here is not known: " + why + ".");
        final var table = (Block.Table) new PolicyCheck(view(Optional.of("8"), variables)).section().orElseThrow().blocks().get(0);
        assertThat(table.rows()).extracting(r -> r.get(1)).containsExactly("sglang", "sglang-push", "vllm");
        assertThat(table.rows().get(0)).containsExactly("8", "sglang", "not known: " + why, "-", "-");
        assertThat(table.rows().get(2).get(2)).startsWith("custom all-reduce, 1stage");
    }

    @Test
    void timesStandBesideTheFloor() {
        final var markdown = new MarkdownReport().render(ReportModel.of(view(Optional.of("8"), Map.of()), List.of()));
        assertThat(markdown).contains("% of floor").containsPattern("\\| ipc/flag-exchange \\|.*\\| 100 % \\|");
    }
}
