package org.verifycycle.result;

import org.verifycycle.collective.Dtype;

import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * The verify cycle the run is about: the size at which charts draw a rule and the answer is given.
 *
 * @param name   e.g. {@code kimi-k2.5, 3 tokens} or {@code given}
 * @param calls  all-reduce calls in a cycle
 * @param bytes  bytes of one tensor
 * @param dtype  element type of the tensor in the model; a backend may be measured with another (the host: fp32)
 * @param source where the shape comes from
 */
public record Workload(String name, int calls, int bytes, Dtype dtype, String source) {
    private static final Pattern TOKENS = Pattern.compile(".*, ([1-9]\\d{0,8}) tokens?");

    /** Tokens that a cycle verifies, of which its size is made; not known of a cycle given in plain numbers. */
    public OptionalInt tokens() {
        final var named = TOKENS.matcher(name);
        return named.matches() ? OptionalInt.of(Integer.parseInt(named.group(1))) : OptionalInt.empty();
    }
}
