package org.verifycycle.result;

import org.junit.jupiter.api.Test;
import org.verifycycle.collective.CollectiveSpec;

import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;

/** Holds results/README.md and the records together. */
class SchemaDocumentTest {
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([A-Za-z0-9.\\[\\]]+)` \\| ([a-z ]+) \\|");

    @Test
    void everyFieldOfTheRecordsIsDescribedWithItsTypeAndNoOther() throws IOException {
        final var fields = new LinkedHashMap<String, String>();
        components(Run.class, "", fields);
        assertThat(described()).containsExactlyEntriesOf(fields);
    }

    private static Map<String, String> described() throws IOException {
        final var text = Files.readString(readme());
        final var described = new LinkedHashMap<String, String>();
        final var row = ROW.matcher(text.substring(text.indexOf("## run.json"), text.indexOf("## samples")));
        while (row.find()) {
            described.put(row.group(1), row.group(2));
        }
        return described;
    }

    private static Path readme() {
        final var inModule = Path.of("../results/README.md");
        return Files.exists(inModule) ? inModule : Path.of("results/README.md");
    }

    private static void components(final Class<?> type, final String path, final Map<String, String> fields) {
        for (final var component : type.getRecordComponents()) {
            describe(component.getGenericType(), path + component.getName(), "", fields);
        }
    }

    private static void describe(final Type type, final String path, final String suffix, final Map<String, String> fields) {
        if (type instanceof ParameterizedType generic) {
            final var argument = generic.getActualTypeArguments()[0];
            if (generic.getRawType() == Optional.class) {
                describe(argument, path, " or null", fields);
            } else if (generic.getRawType() == List.class) {
                fields.put(path, "array of " + (argument == String.class ? "string" : "object"));
                if (argument != String.class) {
                    components((Class<?>) argument, path + "[].", fields);
                }
            } else {
                assertThat(generic.getRawType()).isEqualTo(SortedMap.class);
                fields.put(path, "object of string");
            }
            return;
        }
        final var plain = (Class<?>) type;
        if (plain == int.class || plain == long.class || plain == Integer.class) {
            fields.put(path, "integer" + suffix);
        } else if (plain == double.class) {
            fields.put(path, "number" + suffix);
        } else if (plain == Instant.class) {
            fields.put(path, "instant" + suffix);
        } else if (plain == String.class || plain.isEnum() || plain == CollectiveSpec.class) {
            fields.put(path, "string" + suffix);
        } else {
            fields.put(path, "object" + suffix);
            components(plain, path + ".", fields);
        }
    }
}
