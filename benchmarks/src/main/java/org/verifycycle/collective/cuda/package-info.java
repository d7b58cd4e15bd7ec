/**
 * All-reduce between GPUs by kernels of our own over CUDA IPC: one process per GPU, as {@code native/README.md} describes.
 * Java binds the buffers, exchanges the handles, launches; the protocols are in the kernels.
 */
package org.verifycycle.collective.cuda;
