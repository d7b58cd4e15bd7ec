package org.verifycycle.collective.cuda;

import org.verifycycle.collective.CollectiveSpec;
import org.verifycycle.collective.Configuration;
import org.verifycycle.collective.Dtype;
import org.verifycycle.collective.Launch;
import org.verifycycle.rank.RankGroup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/** A program under the fake driver: one group of two ranks after the other, each told what is to fail; a line for each. */
final class FakeGroups {
    static final String FINE = "fine";

    private FakeGroups() {
    }

    /** @param args the file that says what fails, the folder for shared files, then pairs of a collective and what fails */
    public static void main(final String[] args) throws IOException {
        for (int i = 2; i < args.length; i += 2) {
            Files.writeString(Path.of(args[0]), args[i + 1]);
            System.out.println("> " + args[i] + " " + args[i + 1] + ": " + outcome(args[i], Path.of(args[1])));
        }
        // What a group left of threads must not keep this process.
        System.exit(0);
    }

    /** Those that are still there a while after they were killed. */
    private static List<ProcessHandle> children() {
        final var deadline = System.nanoTime() + 5_000_000_000L;
        while (true) {
            final var left = ProcessHandle.current().children().filter(ProcessHandle::isAlive).toList();
            if (left.isEmpty() || System.nanoTime() > deadline) {
                return left;
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static String outcome(final String collective, final Path shared) {
        final var configuration = new Configuration(CollectiveSpec.parse(collective), 2, 1024, Dtype.BF16, Launch.GRAPH, 3);
        String said = FINE;
        try (var group = new RankGroup(configuration, shared, Optional.empty())) {
            group.check(2);
            group.cycle();
            group.harvest();
        } catch (final RuntimeException e) {
            said = String.valueOf(e.getMessage());
        }
        final List<ProcessHandle> left = children();
        return left.isEmpty() ? said : said + " LEFT " + left;
    }
}
