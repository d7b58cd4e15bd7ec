package org.verifycycle.collective.host;

import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/** Elements that now and then take long: the slow rank of the race tests. */
final class DelayedElements<A> implements Elements<A> {
    private static final int MAX_DELAY_NANOS = 300_000;

    private final Elements<A> elements;
    private final SplittableRandom random;
    private final int oneIn;

    /** @param oneIn how rare delays are */
    DelayedElements(final Elements<A> elements, final long seed, final int oneIn) {
        this.elements = elements;
        random = new SplittableRandom(seed);
        this.oneIn = oneIn;
    }

    private void delay() {
        if (random.nextInt(oneIn) == 0) {
            LockSupport.parkNanos(random.nextInt(MAX_DELAY_NANOS));
        }
    }

    @Override
    public A allocate(final int length) {
        return elements.allocate(length);
    }

    @Override
    public A[] table(final int operands) {
        return elements.table(operands);
    }

    @Override
    public void write(final A source, final int from, final HostRegion region, final int offset, final int length) {
        delay();
        elements.write(source, from, region, offset, length);
        delay();
    }

    @Override
    public void read(final HostRegion region, final int offset, final A target, final int to, final int length) {
        delay();
        elements.read(region, offset, target, to, length);
    }

    @Override
    public void pack(final A source, final int from, final int flag, final long[] lines, final int length) {
        delay();
        elements.pack(source, from, flag, lines, length);
    }

    @Override
    public void unpack(final long[] lines, final A target, final int to, final int length) {
        elements.unpack(lines, target, to, length);
        delay();
    }

    @Override
    public void add(final A source, final A target, final int from, final int length) {
        elements.add(source, target, from, length);
    }

    @Override
    public void sum(final A[] operands, final A target, final int length) {
        elements.sum(operands, target, length);
    }

    @Override
    public void widen(final A source, final float[] target, final int length) {
        elements.widen(source, target, length);
    }

    @Override
    public void accumulate(final A source, final float[] target, final int length) {
        elements.accumulate(source, target, length);
    }

    @Override
    public void round(final float[] source, final A target, final int length) {
        elements.round(source, target, length);
    }
}
