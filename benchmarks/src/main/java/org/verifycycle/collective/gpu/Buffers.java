package org.verifycycle.collective.gpu;

import jcuda.driver.CUdeviceptr;

/**
 * Where the tensors of a cycle are: pairs of input and output in one allocation.
 *
 * @param inputs  offsets in bytes, one per pair
 * @param outputs likewise; the same as the inputs where calls work in place
 */
public record Buffers(CUdeviceptr memory, long[] inputs, long[] outputs) {
    public int sets() {
        return inputs.length;
    }

    boolean inPlace(final int set) {
        return inputs[set] == outputs[set];
    }
}
