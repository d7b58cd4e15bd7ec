package org.verifycycle.report;

import java.util.List;

/** A piece of a section. All text in it is plain: the writers escape it. */
public sealed interface Block {
    /** A few sentences. */
    record Paragraph(String text) implements Block { }

    /** A command to copy. */
    record Command(String text) implements Block { }

    /**
     * A drawing's files.
     *
     * @param file below the run folder, without its extension: {@code plots/cycle-cost-w2}; .png, .svg and .csv stand there
     */
    record Figure(String title, String alt, String file, int width, int height) implements Block { }

    /** Rows of as many cells as there are columns. */
    record Table(List<Column> columns, List<List<String>> rows) implements Block {
        public Table {
            columns = List.copyOf(columns);
            rows = rows.stream().map(List::copyOf).toList();
            for (final var row : rows) {
                if (row.size() != columns.size()) {
                    throw new IllegalArgumentException("row " + row + " does not have " + columns.size() + " cells");
                }
            }
        }
    }

    /**
     * @param number right-aligned
     * @param detail left out where there is little room
     */
    record Column(String header, boolean number, boolean detail) {
        static Column text(final String header) {
            return new Column(header, false, false);
        }

        static Column number(final String header) {
            return new Column(header, true, false);
        }

        static Column detail(final String header) {
            return new Column(header, true, true);
        }
    }
}
