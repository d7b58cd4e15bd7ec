package org.verifycycle.device;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Whether several ranks may share a GPU, and under which MPS daemon; told to forks and ranks by system properties.
 *
 * <p>Processes that share a GPU without MPS take turns of milliseconds. With it they run together, which is right for
 * checking any world on one GPU, and says nothing about links.
 *
 * @param ranksPerGpu most ranks on one GPU
 * @param mpsFolder   folder of the daemon that ranks are to use
 */
public record GpuSharing(int ranksPerGpu, Optional<Path> mpsFolder) {
    private static final String RANKS_PER_GPU = "verifycycle.ranksPerGpu";
    private static final String MPS_FOLDER = "verifycycle.mps";

    /** As this process was told; without being told, one rank a GPU. */
    public static GpuSharing ofThisProcess() {
        return new GpuSharing(Integer.getInteger(RANKS_PER_GPU, 1), Optional.ofNullable(System.getProperty(MPS_FOLDER)).map(Path::of));
    }

    /** Options for JVMs that are to be told the same. */
    public List<String> jvmOptions() {
        final var options = new ArrayList<>(List.of("-D" + RANKS_PER_GPU + "=" + ranksPerGpu));
        mpsFolder.ifPresent(folder -> options.add("-D" + MPS_FOLDER + "=" + folder));
        return options;
    }

    /** Where {@link #ofThisProcess} finds it from now on. */
    public void tellThisProcess() {
        System.setProperty(RANKS_PER_GPU, Integer.toString(ranksPerGpu));
        mpsFolder.ifPresent(folder -> System.setProperty(MPS_FOLDER, folder.toString()));
    }

    /** Ranks on the fullest of so many GPUs. */
    public static int ranksOnGpu(final int world, final int gpus) {
        return (world + gpus - 1) / gpus;
    }

    /** Sets what the driver reads when it is initialised. */
    void setVariables() {
        mpsFolder.ifPresent(folder -> {
            ProcessVariables.set("CUDA_MPS_PIPE_DIRECTORY", folder.resolve(MpsDaemon.PIPE).toString());
            ProcessVariables.set("CUDA_MPS_LOG_DIRECTORY", folder.resolve(MpsDaemon.LOG).toString());
        });
        // A kernel that is loaded at its first launch may have to wait for one that spins for it.
        if (System.getenv("CUDA_MODULE_LOADING") == null) {
            ProcessVariables.set("CUDA_MODULE_LOADING", "EAGER");
        }
    }
}
