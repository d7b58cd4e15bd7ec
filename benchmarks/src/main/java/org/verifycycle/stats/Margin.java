package org.verifycycle.stats;

import org.verifycycle.result.Interval;

import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What a difference must clear to be claimed, and what it must stay within to be called none. Both bands are symmetric on the
 * logarithmic scale, 1 / (1 + w) to 1 + w, so that exchanging the two sides of a comparison exchanges faster and slower and changes
 * nothing else.
 *
 * <p>Noise widens the one and not the other: "same" is a claim too, and must not get easier the noisier the run is. What lies
 * between the bands is undecided.
 *
 * @param claim faster or slower only beyond this, as a fraction, at least {@link #PRACTICAL}
 */
public record Margin(double claim) {
    /** Differences below 2 % are of no use to anyone who chooses a collective: "same" is within this, whatever the noise. */
    public static final double PRACTICAL = 0.02;

    public Margin {
        if (!(claim >= PRACTICAL)) {
            throw new IllegalArgumentException("margin " + claim + " is below the practical one of " + PRACTICAL);
        }
    }

    /** The practical margin, or the A/A noise floor where that is larger: no claim below either. */
    static Margin of(final OptionalDouble noiseFloor) {
        return new Margin(Math.max(PRACTICAL, noiseFloor.orElse(0)));
    }

    /** What the interval of a ratio says: without one, nothing. */
    Verdict verdict(final Optional<Interval> ratio) {
        if (ratio.isEmpty()) {
            return Verdict.UNDECIDED;
        }
        if (ratio.get().high() < 1 / (1 + claim)) {
            return Verdict.FASTER;
        }
        if (ratio.get().low() > 1 + claim) {
            return Verdict.SLOWER;
        }
        return ratio.get().low() >= 1 / (1 + PRACTICAL) && ratio.get().high() <= 1 + PRACTICAL ? Verdict.SAME : Verdict.UNDECIDED;
    }
}
