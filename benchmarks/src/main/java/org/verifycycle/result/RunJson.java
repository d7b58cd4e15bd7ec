package org.verifycycle.result;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import org.verifycycle.collective.CollectiveSpec;
import org.verifycycle.collective.Dtype;
import org.verifycycle.collective.Launch;

import java.io.IOException;
import java.util.function.Function;
import java.util.stream.Collectors;

/** {@link Run} to JSON and back, strictly: what a field must be is said by the records, and nothing else is taken. */
final class RunJson {
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .addModule(new Jdk8Module())
            .addModule(new JavaTimeModule())
            .addModule(values())
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES,
                    DeserializationFeature.FAIL_ON_TRAILING_TOKENS, DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS,
                    DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES, DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .build();

    private RunJson() {
    }

    static byte[] write(final Run run) {
        try {
            return MAPPER.writeValueAsBytes(run);
        } catch (final JsonProcessingException e) {
            throw new IllegalStateException("a run could not be turned into JSON", e);
        }
    }

    /**
     * @param name of the file, for messages
     * @throws ResultException naming the field that is missing, unknown or wrong
     */
    static Run read(final byte[] json, final String name) {
        try {
            final var tree = MAPPER.readTree(json);
            if (tree == null || !tree.isObject() || !tree.path("schema").isInt()) {
                throw new ResultException(ResultException.Kind.UNREADABLE, name + ": not a run of verifycycle (no field 'schema')");
            }
            if (tree.get("schema").intValue() != Run.SCHEMA) {
                throw new ResultException(ResultException.Kind.UNREADABLE, name + ": schema " + tree.get("schema") + ", this program reads "
                        + Run.SCHEMA + "; read it with the version that wrote it");
            }
            return MAPPER.readValue(json, Run.class);
        } catch (final JsonMappingException e) {
            throw new ResultException(ResultException.Kind.UNREADABLE, name + ": field '" + path(e) + "': " + e.getOriginalMessage(), e);
        } catch (final IOException e) {
            throw new ResultException(ResultException.Kind.UNREADABLE, name + ": not valid JSON: " + firstLine(e), e);
        }
    }

    static ObjectMapper mapper() {
        return MAPPER;
    }

    private static String path(final JsonMappingException e) {
        return e.getPath().stream().map(r -> r.getFieldName() != null ? "." + r.getFieldName() : "[" + r.getIndex() + "]")
                .collect(Collectors.joining()).replaceFirst("^\\.", "");
    }

    private static String firstLine(final Exception e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }

    private static SimpleModule values() {
        final var module = new SimpleModule();
        text(module, CollectiveSpec.class, CollectiveSpec::toString, CollectiveSpec::parse);
        text(module, Dtype.class, Dtype::id, Dtype::parse);
        text(module, Launch.class, Launch::id, Launch::parse);
        return module;
    }

    private static <T> void text(final SimpleModule module, final Class<T> type, final Function<T, String> toText, final Function<String, T> parse) {
        module.addSerializer(type, new StdSerializer<>(type) {
            private static final long serialVersionUID = 1L;

            @Override
            public void serialize(final T value, final JsonGenerator out, final SerializerProvider provider) throws IOException {
                out.writeString(toText.apply(value));
            }
        });
        module.addDeserializer(type, new StdDeserializer<>(type) {
            private static final long serialVersionUID = 1L;

            @Override
            public T deserialize(final JsonParser in, final DeserializationContext context) throws IOException {
                final var text = in.getValueAsString();
                try {
                    return parse.apply(text);
                } catch (final IllegalArgumentException e) {
                    throw JsonMappingException.from(in, e.getMessage());
                }
            }
        });
    }
}
