/**
 * All-reduce by NVIDIA's NCCL, one process per GPU: what every other all-reduce is compared with, so it is shown at its best
 * and with what it chose. The library is the machine's own, found by {@link org.verifycycle.collective.nccl.NcclLibrary}.
 */
package org.verifycycle.collective.nccl;
