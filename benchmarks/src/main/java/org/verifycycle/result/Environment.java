package org.verifycycle.result;

import java.util.SortedMap;
import java.util.TreeMap;
import java.util.Collections;
import java.util.List;

/**
 * The machine and software a run was made on, by allow-list: never the whole environment, never a user name.
 *
 * @param host      short host name
 * @param os        name and version
 * @param cpu       model name
 * @param cores     processors the JVM may use
 * @param memoryMiB physical memory
 * @param jvm       vendor and version
 * @param commit    of this program, {@code unknown} when built outside git, with {@code +dirty} if so
 * @param devices   one line per GPU
 * @param variables of the process environment, only those whose names are on the list (NCCL_*, CUDA_*, ...)
 * @param facts     further key and value pairs: load at start, CPU governor, driver, library versions
 */
public record Environment(String host, String os, String cpu, int cores, long memoryMiB, String jvm, String commit,
                          List<String> devices, SortedMap<String, String> variables, SortedMap<String, String> facts) {
    public Environment {
        devices = List.copyOf(devices);
        variables = Collections.unmodifiableSortedMap(new TreeMap<>(variables));
        facts = Collections.unmodifiableSortedMap(new TreeMap<>(facts));
    }
}
