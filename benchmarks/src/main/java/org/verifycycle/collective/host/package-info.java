/** All-reduce between processes over host shared memory: the same algorithms as on GPUs, without one. */
package org.verifycycle.collective.host;
