package org.verifycycle.result;

import com.fasterxml.jackson.databind.JsonNode;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Strict reading of one JSON object: every field is there, is of its type and in its range, and (but in other programs' files) there
 * is no other.
 *
 * <p>All methods throw {@link ResultException} naming file and field otherwise.
 */
final class Fields {
    private final String file;
    private final String path;
    private final JsonNode object;
    private final boolean strict;
    private final Set<String> seen = new HashSet<>();

    private Fields(final String file, final String path, final JsonNode object, final boolean strict) {
        this.file = file;
        this.path = path;
        this.object = object;
        this.strict = strict;
    }

    /** Reads an object with {@code reader}, and refuses what the reader did not ask for. */
    static <T> T read(final String file, final String path, final JsonNode node, final Function<Fields, T> reader) {
        return read(file, path, node, true, reader);
    }

    /** Reads another program's document: what the reader does not ask for may be in it. */
    static <T> T readForeign(final String file, final JsonNode node, final Function<Fields, T> reader) {
        return read(file, "", node, false, reader);
    }

    private static <T> T read(final String file, final String path, final JsonNode node, final boolean strict, final Function<Fields, T> reader) {
        final var fields = new Fields(file, path, node, strict);
        if (!node.isObject()) {
            throw fields.refuse(path, "is not an object but " + kind(node));
        }
        final T value;
        try {
            value = reader.apply(fields);
        } catch (final IllegalArgumentException e) {
            // A record's own check; its message names the value.
            throw fields.refuse(path, "is not valid: " + e.getMessage());
        }
        node.fieldNames().forEachRemaining(name -> {
            if (strict && !fields.seen.contains(name)) {
                throw fields.refuse(fields.at(name), "is not known to this version");
            }
        });
        return value;
    }

    String text(final String name) {
        final var node = field(name);
        if (!node.isTextual()) {
            throw refuse(at(name), "is not a string but " + kind(node));
        }
        return node.textValue();
    }

    Optional<String> optionalText(final String name) {
        return isNull(name) ? Optional.empty() : Optional.of(text(name));
    }

    /** A value with a name of its own, parsed by {@code parser}, which throws IllegalArgumentException with the reason. */
    <T> T parsed(final String name, final Function<String, T> parser) {
        final var text = text(name);
        try {
            return parser.apply(text);
        } catch (final IllegalArgumentException e) {
            throw refuse(at(name), "is not valid: " + e.getMessage());
        }
    }

    Instant instant(final String name) {
        final var text = text(name);
        try {
            return Instant.parse(text);
        } catch (final DateTimeException e) {
            throw refuse(at(name), "is not an ISO-8601 instant such as 2026-01-31T12:00:00Z but '" + text + "'");
        }
    }

    Optional<Instant> optionalInstant(final String name) {
        return isNull(name) ? Optional.empty() : Optional.of(instant(name));
    }

    int integer(final String name, final int low, final int high) {
        return (int) wholeNumber(name, low, high);
    }

    long wholeNumber(final String name, final long low, final long high) {
        final var node = field(name);
        if (!node.isIntegralNumber() || !node.canConvertToLong()) {
            throw refuse(at(name), "is not a whole number but " + (node.isNumber() ? node.asText() : kind(node)));
        }
        final var value = node.longValue();
        if (value < low || value > high) {
            throw refuse(at(name), "is " + value + ", not between " + low + " and " + high);
        }
        return value;
    }

    Optional<Integer> optionalInteger(final String name, final int low, final int high) {
        return isNull(name) ? Optional.empty() : Optional.of(integer(name, low, high));
    }

    /** A finite number, not below zero. */
    double amount(final String name) {
        final var node = field(name);
        if (!node.isNumber()) {
            throw refuse(at(name), "is not a number but " + kind(node));
        }
        final var value = node.doubleValue();
        if (!Double.isFinite(value) || value < 0) {
            throw refuse(at(name), "is " + value + ", not a number from 0 up");
        }
        return value;
    }

    Optional<Double> optionalAmount(final String name) {
        return isNull(name) ? Optional.empty() : Optional.of(amount(name));
    }

    List<String> texts(final String name) {
        final var texts = new ArrayList<String>();
        for (final var node : array(name)) {
            if (!node.isTextual()) {
                throw refuse(at(name) + "[" + texts.size() + "]", "is not a string but " + kind(node));
            }
            texts.add(node.textValue());
        }
        return texts;
    }

    SortedMap<String, String> textMap(final String name) {
        final var node = field(name);
        if (!node.isObject()) {
            throw refuse(at(name), "is not an object but " + kind(node));
        }
        final var map = new TreeMap<String, String>();
        node.fields().forEachRemaining(entry -> {
            if (!entry.getValue().isTextual()) {
                throw refuse(at(name) + "." + entry.getKey(), "is not a string but " + kind(entry.getValue()));
            }
            map.put(entry.getKey(), entry.getValue().textValue());
        });
        return map;
    }

    <T> T object(final String name, final Function<Fields, T> reader) {
        return read(file, at(name), field(name), strict, reader);
    }

    <T> Optional<T> optionalObject(final String name, final Function<Fields, T> reader) {
        return isNull(name) ? Optional.empty() : Optional.of(object(name, reader));
    }

    <T> List<T> objects(final String name, final Function<Fields, T> reader) {
        final var objects = new ArrayList<T>();
        for (final var node : array(name)) {
            objects.add(read(file, at(name) + "[" + objects.size() + "]", node, strict, reader));
        }
        return objects;
    }

    /** Refuses a field (named from this object) for a reason that only its reader can see. */
    ResultException refuseField(final String name, final String problem) {
        return refuse(at(name), problem);
    }

    private JsonNode array(final String name) {
        final var node = field(name);
        if (!node.isArray()) {
            throw refuse(at(name), "is not an array but " + kind(node));
        }
        return node;
    }

    private boolean isNull(final String name) {
        return field(name).isNull();
    }

    private JsonNode field(final String name) {
        seen.add(name);
        final var node = object.get(name);
        if (node == null) {
            throw refuse(at(name), "is missing");
        }
        return node;
    }

    private String at(final String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    private ResultException refuse(final String where, final String problem) {
        return new ResultException(ResultException.Kind.UNREADABLE, file + ": " + (where.isEmpty() ? "the document" : "field '" + where + "'") + " " + problem);
    }

    private static String kind(final JsonNode node) {
        return switch (node.getNodeType()) {
            case NULL -> "null";
            case BOOLEAN -> node.asText();
            case NUMBER -> "the number " + node.asText();
            case STRING -> "the string '" + abbreviated(node.textValue()) + "'";
            case ARRAY -> "an array";
            case OBJECT -> "an object";
            default -> "something else";
        };
    }

    private static String abbreviated(final String text) {
        return text.length() <= 40 ? text : text.substring(0, 40) + "...";
    }
}
