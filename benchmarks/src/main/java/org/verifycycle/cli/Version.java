package org.verifycycle.cli;

import org.verifycycle.result.BuildInfo;
import picocli.CommandLine.IVersionProvider;

/** Version and commit of this jar. */
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {"verifycycle " + BuildInfo.read()};
    }
}
