package org.verifycycle.collective.cuda;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.verifycycle.collective.Dtype;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** The kernels that Java asks a module for are those that {@code kernels.cu} defines, and there are no others: by the C preprocessor, without nvcc. */
class KernelNamesTest {
    /** What VC_ENTRY makes; the launch bounds have parentheses of their own. */
    private static final Pattern ENTRY = Pattern.compile("extern \"C\" __global__ void __launch_bounds__\\([^)]*\\) (\\w+)\\(");
    /** No collectives: the probe of the links and {@code --skew} name them. */
    private static final Pattern OTHER = Pattern.compile("vc_probe_\\w+|vc_spin");

    @Test
    void everyAlgorithmsKernelIsInKernelsCuAndNoOtherIs(@TempDir final Path folder) throws IOException {
        final var defined = entryPoints(folder).stream().filter(name -> !OTHER.matcher(name).matches()).toList();
        final var asked = Arrays.stream(IpcAlgorithm.values()).flatMap(KernelNamesTest::kernels).distinct().toList();
        assertThat(asked).containsExactlyInAnyOrderElementsOf(defined);
    }

    @Test
    void noEntryPointIsDefinedTwice(@TempDir final Path folder) throws IOException {
        assertThat(entryPoints(folder)).doesNotHaveDuplicates().contains("vc_spin", "vc_probe_flag");
    }

    private static Stream<String> kernels(final IpcAlgorithm algorithm) {
        return Arrays.stream(Dtype.values()).flatMap(dtype -> Requirements.WORLDS.stream().map(world -> algorithm.kernel(dtype, world)));
    }

    /** As C and with __CUDACC__: then nothing is included that is C++ or the emulation's, so that any C compiler can do it. */
    private static List<String> entryPoints(final Path folder) throws IOException {
        FakeCuda.assumeCompiler();
        final var expanded = folder.resolve("kernels.i");
        FakeCuda.compile("-E", "-P", "-x", "c", "-D__CUDACC__", "-o", expanded.toString(), "../native/src/main/cuda/kernels.cu");
        return ENTRY.matcher(Files.readString(expanded)).results().map(m -> m.group(1)).toList();
    }
}
