package org.verifycycle.collective.nccl;

import org.verifycycle.collective.Dtype;
import org.verifycycle.collective.gpu.Buffers;
import org.verifycycle.collective.gpu.Calls;
import org.verifycycle.collective.gpu.JCudaHandles;

import java.util.Arrays;

/** The ncclAllReduce calls of a cycle, with their arguments worked out beforehand. */
final class NcclAllReduce implements Calls {
    private final NcclCommunicator owner;
    private final long[] inputs;
    private final long[] outputs;
    private final long elements;
    private final int dtype;
    private final long stream;

    NcclAllReduce(final NcclCommunicator owner, final Buffers buffers) {
        this.owner = owner;
        final var base = JCudaHandles.pointer(buffers.memory());
        inputs = Arrays.stream(buffers.inputs()).map(offset -> base + offset).toArray();
        outputs = Arrays.stream(buffers.outputs()).map(offset -> base + offset).toArray();
        elements = owner.configuration().elements();
        dtype = dtype(owner.configuration().dtype());
        stream = JCudaHandles.pointer(owner.gpu().stream());
    }

    @Override
    public void enqueue(final int call) {
        final var set = call % inputs.length;
        final var result = NcclCalls.ncclAllReduce(inputs[set], outputs[set], elements, dtype, NcclCalls.SUM, owner.handle(), stream);
        if (result != NcclCalls.SUCCESS) {
            owner.check(result, owner.handle(), "ncclAllReduce");
        }
    }

    @Override
    public void stuck() {
        owner.checkAsync();
    }

    @Override
    public void failed() {
        owner.fail();
    }

    private static int dtype(final Dtype dtype) {
        return switch (dtype) {
            case FP32 -> NcclCalls.FLOAT32;
            case FP16 -> NcclCalls.FLOAT16;
            case BF16 -> NcclCalls.BFLOAT16;
        };
    }
}
