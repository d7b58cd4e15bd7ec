package org.verifycycle.collective.nccl;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What NCCL says in its debug output of what it chose.
 *
 * @param choices    distinct, in the order in which they were made; only rank 0 is told
 * @param transports of this rank's connections, e.g. {@code P2P/CUMEM}, {@code SHM/direct/direct}
 * @param variables  that it read in the environment, by its own account
 * @param silent     whether it said nothing at all: its output is the user's
 * @param bytes      of the calls that the choices are of
 */
record NcclLog(Set<Choice> choices, Set<String> transports, Set<String> variables, boolean silent, long bytes) {
    /** {@code AllReduce: 43008 Bytes -> Algo RING proto LL channel{Lo..Hi}={0..7}}; numbers for names in some versions. */
    private static final Pattern TUNED = Pattern.compile("AllReduce: (\\d+) Bytes -> Algo (\\S+) proto (\\S+)(?: channel\\{Lo\\.\\.Hi\\}=\\{(\\d+)\\.\\.(\\d+)\\})?");
    /** {@code AllReduce [Symmetric]: 43008 Bytes -> Kernel AllReduce_AGxLL_R nchannels 8 nthreads 512 nWorks 1}. */
    private static final Pattern SYMMETRIC = Pattern.compile("AllReduce \\[Symmetric\\]: (\\d+) Bytes -> Kernel (\\S+) nchannels (\\d+)");
    /** {@code NCCL_GRAPH_MIXING_SUPPORT set by environment to 0.}: once, when it is first asked for. */
    private static final Pattern READ = Pattern.compile("(NCCL_[A-Z0-9_]+) set by environment to ");
    private static final Pattern VIA = Pattern.compile("Channel \\S+ : .* via ([A-Za-z0-9/]+)");
    /** NCCL_ALGO_* and NCCL_PROTO_* of NCCL's nccl_common.h, in order. */
    private static final List<String> ALGORITHMS = List.of("TREE", "RING", "COLLNET_DIRECT", "COLLNET_CHAIN", "NVLS", "NVLS_TREE", "PAT");
    private static final List<String> PROTOCOLS = List.of("LL", "LL128", "SIMPLE");
    /** What the blocks of a symmetric kernel share out: NCCL_SYM_KERNEL_CELL_SIZE of NCCL's sym_kernels.h. */
    private static final int CELL_BYTES = 1_024;

    /**
     * One way in which all-reduce calls were done.
     *
     * @param algorithm e.g. {@code RING}; of a symmetric kernel its name
     * @param protocol  e.g. {@code LL}; empty for a symmetric kernel
     * @param channels  thread blocks; 0 where it doesn't say
     */
    record Choice(String algorithm, String protocol, int channels) {
        boolean symmetric() {
            return protocol.isEmpty();
        }

        @Override
        public String toString() {
            return (symmetric() ? "symmetric kernel " + algorithm : algorithm + " " + protocol) + (channels == 0 ? "" : ", " + channels + (channels == 1 ? " channel" : " channels"));
        }
    }

    /** @param bytes of the calls that count */
    static NcclLog parse(final Collection<String> lines, final long bytes) {
        final var choices = new LinkedHashSet<Choice>();
        final var transports = new TreeSet<String>();
        final var variables = new TreeSet<String>();
        for (final var line : lines) {
            final var tuned = TUNED.matcher(line);
            final var symmetric = SYMMETRIC.matcher(line);
            final var via = VIA.matcher(line);
            final var read = READ.matcher(line);
            if (tuned.find() && Long.parseLong(tuned.group(1)) == bytes) {
                choices.add(new Choice(name(tuned.group(2), ALGORITHMS), name(tuned.group(3), PROTOCOLS), channels(tuned)));
            } else if (symmetric.find() && Long.parseLong(symmetric.group(1)) == bytes) {
                choices.add(new Choice(symmetric.group(2), "", Integer.parseInt(symmetric.group(3))));
            } else if (via.find()) {
                transports.add(via.group(1));
            } else if (read.find()) {
                variables.add(read.group(1));
            }
        }
        return new NcclLog(choices, transports, variables, lines.isEmpty(), bytes);
    }

    /** Why this is not what was asked for; empty if it is, or if NCCL did not say. */
    Optional<String> declined(final NcclSettings asked) {
        if (!asked.p2p() && transports.stream().anyMatch(t -> t.startsWith("P2P"))) {
            return Optional.of("NCCL declined " + NcclSettings.P2P + "=off: it connected by " + String.join(", ", transports));
        }
        if (asked.p2pLevel().filter(NcclSettings.ANY_DISTANCE::equals).isPresent() && !transports.isEmpty() && transports.stream().noneMatch(t -> t.startsWith("P2P"))) {
            return Optional.of("NCCL declined " + NcclSettings.P2P_LEVEL + "=" + NcclSettings.ANY_DISTANCE + ": it connected by " + String.join(", ", transports));
        }
        final var unread = asked.others().keySet().stream().filter(v -> !silent && !variables.contains(v)).findFirst();
        if (unread.isPresent()) {
            return Optional.of("NCCL declined " + unread.get() + ": it does not say that it read it; is there such a variable in this version?");
        }
        return choices.stream().flatMap(choice -> refusal(choice, asked).stream()).findFirst();
    }

    private Optional<String> refusal(final Choice choice, final NcclSettings asked) {
        final String request;
        if (asked.symmetric() != NcclSettings.Symmetric.OFF) {
            request = !choice.symmetric() ? NcclSettings.SYMMETRIC
                    : asked.kernel().filter(k -> !choice.algorithm().equals(NcclSettings.KERNEL_PREFIX + k)).map(k -> NcclSettings.KERNEL + "=" + k).orElse("");
        } else if (asked.algorithm().variable().filter(a -> !a.equalsIgnoreCase(choice.algorithm())).isPresent()) {
            request = asked.algorithm().id();
        } else {
            request = asked.protocol().filter(p -> !p.equalsIgnoreCase(choice.protocol())).map(p -> NcclSettings.PROTO + "=" + p).orElse("");
        }
        if (!request.isEmpty()) {
            return Optional.of("NCCL declined " + request + ": it chose " + choice);
        }
        // Of channels at most so many are asked for, of a symmetric kernel's blocks just so many, or those of them that have something to do.
        return number(asked.channels(), n -> choice.channels() > n, NcclSettings.CHANNELS, choice)
                .or(() -> number(asked.ctas(), n -> choice.channels() != n && choice.channels() != busy(n), NcclSettings.CTAS, choice));
    }

    /** Blocks of so many that have a cell to sum when all have the same number but the last: 21 of 32 for 43,008 bytes, and so many NCCL 2.28.9 then takes. */
    private int busy(final int blocks) {
        final var cells = Math.max(1, (bytes + CELL_BYTES - 1) / CELL_BYTES);
        final var share = (cells + blocks - 1) / blocks;
        return (int) ((cells + share - 1) / share);
    }

    private static Optional<String> number(final OptionalInt asked, final IntPredicate refused, final String setting, final Choice choice) {
        return asked.isPresent() && refused.test(asked.getAsInt()) ? Optional.of("NCCL declined " + setting + "=" + asked.getAsInt() + ": it chose " + choice) : Optional.empty();
    }

    /** For results. */
    String chosen() {
        return choices.stream().map(Choice::toString).collect(Collectors.joining("; "));
    }

    private static int channels(final Matcher tuned) {
        return tuned.group(4) == null ? 0 : Integer.parseInt(tuned.group(5)) - Integer.parseInt(tuned.group(4)) + 1;
    }

    private static String name(final String text, final List<String> numbered) {
        final var number = text.matches("\\d") ? Integer.parseInt(text) : -1;
        return number >= 0 && number < numbered.size() ? numbered.get(number) : text.toUpperCase(Locale.ROOT);
    }
}
