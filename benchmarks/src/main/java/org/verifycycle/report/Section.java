package org.verifycycle.report;

import java.util.List;

/** A titled part of a report. */
public record Section(String title, Depth depth, List<Block> blocks) {
    public Section {
        blocks = List.copyOf(blocks);
    }

    /** Who sees it. */
    public enum Depth {
        /** Everywhere, the terminal too. */
        BRIEF,
        /** In the files. */
        FULL,
        /** In the files, folded where the format can. */
        FOLDED
    }
}
