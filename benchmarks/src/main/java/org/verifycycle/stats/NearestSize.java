package org.verifycycle.stats;

import java.util.Collection;
import java.util.Comparator;
import java.util.OptionalInt;

/** Which of several sizes stands for one that was not measured. */
public final class NearestSize {
    private NearestSize() { }

    /** The nearest by ratio (twice as large is as far as half as large); the first of equally near ones, empty of none. */
    public static OptionalInt to(final int bytes, final Collection<Integer> sizes) {
        return sizes.stream().min(Comparator.comparingDouble(size -> Math.abs(Math.log((double) size / bytes)))).map(OptionalInt::of).orElse(OptionalInt.empty());
    }
}
