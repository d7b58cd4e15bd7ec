package org.verifycycle.collective.host;

/**
 * Ring: reduce-scatter, then all-gather, each rank talking to its neighbours only. The shape of NCCL's and MPI's default,
 * and the baseline here.
 *
 * <pre>
 *   rank r, one chunk in parts 0 .. N-1; all indices mod N; N-1 steps each
 *   reduce-scatter, step s:  send partial sum of part r-s         receive that of part r-s-1, add own input
 *                            after the last step rank r holds the whole sum of part r+1, and rounds it
 *   all-gather, step s:      send sum of part r+1-s               receive that of part r-s
 *
 *   send message t:     copy to own slot t % N;  flag[r] = t            -- release --> rank r+1
 *   receive message t:  await flag[r-1] >= t;  read slot[r-1][t % N]
 * </pre>
 *
 * Part p is summed in the order p, p+1, ..., p-1, by one chain of ranks, and all get that chain's bits. Partial sums
 * travel in float32.
 *
 * <p>N slots need no credits. A rank sends message t after it has received t - 1 (over steps, chunks and calls alike), which
 * its predecessor sent after receiving t - 2, and so on around the ring: so when r sends t, rank r+1 = r-(N-1) has sent
 * t - N + 1, thus has received and used t - N, which is what the slot held. A message of an empty part is a flag only.
 */
final class Ring<A> implements AllReduce<A> {
    private final HostRank<A> rank;
    private final Elements<A> elements;
    private final HostShape shape;
    private final A received;
    private final A own;
    private final float[] partial;
    private long sent;

    Ring(final HostRank<A> rank) {
        this.rank = rank;
        elements = rank.elements();
        shape = rank.shape();
        final var largest = shape.elements(shape.largestPartBytes());
        received = elements.allocate(largest);
        own = elements.allocate(largest);
        partial = new float[largest];
    }

    static HostRegionDescriptor layout(final HostShape shape) {
        return new HostRegionDescriptor(shape.world(), shape.world(), shape.elements(shape.largestPartBytes()) * Float.BYTES, 0);
    }

    @Override
    public void call(final A input, final A output) {
        for (var chunk = 0; chunk < shape.chunks(); chunk++) {
            final var start = chunk * shape.chunkBytes();
            final var size = shape.bytesOfChunk(chunk);
            reduceScatter(input, output, start, size);
            allGather(output, start, size);
        }
    }

    private void reduceScatter(final A input, final A output, final int start, final int size) {
        final var steps = rank.world() - 1;
        send(input, start, size, part(0));
        for (var s = 0; s < steps; s++) {
            final var part = part(-s - 1);
            final var length = length(size, part);
            final var slot = receive();
            if (s == 0) {
                elements.read(rank.region(), slot, received, 0, length);
                elements.widen(received, partial, length);
            } else {
                rank.region().readFloats(slot, partial, 0, length);
            }
            System.arraycopy(input, position(start, size, part), own, 0, length);
            elements.accumulate(own, partial, length);
            if (s < steps - 1) {
                rank.region().writeFloats(partial, 0, slotToSend(), length);
                raise();
            } else {
                elements.round(partial, own, length);
                System.arraycopy(own, 0, output, position(start, size, part), length);
            }
        }
    }

    private void allGather(final A output, final int start, final int size) {
        for (var s = 0; s < rank.world() - 1; s++) {
            send(output, start, size, part(1 - s));
            final var part = part(-s);
            elements.read(rank.region(), receive(), output, position(start, size, part), length(size, part));
        }
    }

    private void send(final A source, final int start, final int size, final int part) {
        elements.write(source, position(start, size, part), rank.region(), slotToSend(), length(size, part));
        raise();
    }

    private int slotToSend() {
        return rank.layout().inputOffset(rank.rank(), (int) ((sent + 1) % rank.world()));
    }

    private void raise() {
        sent++;
        rank.raiseFlag(sent);
    }

    /** Waits for the predecessor's message with the number of the own last one; returns its slot's offset. */
    private int receive() {
        rank.awaitFlag(rank.previous(), sent);
        return rank.layout().inputOffset(rank.previous(), (int) (sent % rank.world()));
    }

    private int part(final int distance) {
        return Math.floorMod(rank.rank() + distance, rank.world());
    }

    private int position(final int start, final int size, final int part) {
        return shape.elements(start + shape.partStart(size, part));
    }

    private int length(final int size, final int part) {
        return shape.elements(shape.partBytes(size, part));
    }
}
