package org.verifycycle.chart;

import org.verifycycle.result.Entry;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** The plotted numbers as comma-separated values (RFC 4180); an absent number is an empty field. */
final class Csv {
    private Csv() { }

    static String text(final List<List<String>> rows) {
        return rows.stream().map(row -> row.stream().map(Csv::field).collect(Collectors.joining(","))).collect(Collectors.joining("\n", "", "\n"));
    }

    static String number(final double value) {
        return String.format(Locale.ROOT, Math.abs(value) < 100 ? "%.5f" : "%.1f", value);
    }

    static String number(final Optional<Double> value) {
        return value.map(Csv::number).orElse("");
    }

    static String number(final OptionalDouble value) {
        return value.isPresent() ? number(value.getAsDouble()) : "";
    }

    static String purpose(final Entry entry) {
        return entry.purpose().name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static String field(final String value) {
        return value.matches("[^,\"\\r\\n]*") ? value : '"' + value.replace("\"", "\"\"") + '"';
    }
}
