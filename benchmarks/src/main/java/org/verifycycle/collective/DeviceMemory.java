package org.verifycycle.collective;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * What one rank takes of its device's memory, in bytes: what is free before, less what is free after. The driver gives memory in
 * granules of up to 2 MiB, and a step that fits into one taken earlier shows as 0.
 *
 * @param communicatorBytes for connections and receive slots: what the collective needs beside the tensors
 * @param buffersBytes      for the tensors of a cycle, all pairs of them
 * @param graphBytes        for the graph of a cycle; 0 where calls are started one by one
 */
public record DeviceMemory(long communicatorBytes, long buffersBytes, long graphBytes) {
    /** By name, in order. */
    public static final Map<String, ToLongFunction<DeviceMemory>> FIELDS = fields();

    public DeviceMemory {
        if (communicatorBytes < 0 || buffersBytes < 0 || graphBytes < 0) {
            throw new IllegalArgumentException("memory taken is not negative: " + communicatorBytes + ", " + buffersBytes + ", " + graphBytes);
        }
    }

    /** @param field gives the value of each name of {@link #FIELDS} */
    public static DeviceMemory of(final ToLongFunction<String> field) {
        return new DeviceMemory(field.applyAsLong("communicatorBytes"), field.applyAsLong("buffersBytes"), field.applyAsLong("graphBytes"));
    }

    private static Map<String, ToLongFunction<DeviceMemory>> fields() {
        final var fields = new LinkedHashMap<String, ToLongFunction<DeviceMemory>>();
        fields.put("communicatorBytes", DeviceMemory::communicatorBytes);
        fields.put("buffersBytes", DeviceMemory::buffersBytes);
        fields.put("graphBytes", DeviceMemory::graphBytes);
        return Collections.unmodifiableMap(fields);
    }
}
