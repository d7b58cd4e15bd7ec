/** JMH benchmarks, states and the profiler, and the runner that drives JMH per configuration: the only package that knows JMH. */
package org.verifycycle.bench;
