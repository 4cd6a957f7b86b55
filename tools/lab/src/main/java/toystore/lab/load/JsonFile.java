package toystore.lab.load;

import static toystore.common.RootLocale.format;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/// Reads JSON that users write. Its messages name the file, the field or the line, what was
/// expected and what was received, and no class.
public final class JsonFile {
  public static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private JsonFile() {}

  /// @param file its name, for messages
  /// @throws IOException with the mistake
  public static <T> T parse(String json, Class<T> type, String file) throws IOException {
    try {
      return MAPPER.readValue(json, type);
    } catch (JsonProcessingException e) {
      boolean hasField = e instanceof JsonMappingException;
      String line = hasField ? "" : ", line " + e.getLocation().getLineNr();
      throw new IOException(format("%s%s: %s", file, line, mistake(e)), e);
    }
  }

  /// A copy of a record.
  ///
  /// @param change sets other values of its fields
  @SuppressWarnings("unchecked") // the class of a T
  public static <T extends Record> T with(T original, Consumer<ObjectNode> change) {
    ObjectNode fields = MAPPER.valueToTree(original);
    change.accept(fields);
    return (T) MAPPER.convertValue(fields, original.getClass());
  }

  private static String mistake(JsonProcessingException mistake) {
    return switch (mistake) {
      case UnrecognizedPropertyException e ->
          format(
              "unknown field %s; expected one of %s",
              field(e),
              e.getKnownPropertyIds().stream()
                  .map(Object::toString)
                  .sorted()
                  .collect(Collectors.joining(", ")));
      case ValueInstantiationException e
          when e.getCause() instanceof IllegalArgumentException why ->
          at(e) + why.getMessage();
      case InvalidFormatException e ->
          format("%sexpected %s, got \"%s\"", at(e), name(e.getTargetType()), e.getValue());
      case MismatchedInputException e when e.getOriginalMessage().startsWith("Missing required") ->
          format("field %s is missing", field(e));
      case MismatchedInputException e when e.getTargetType() != null ->
          format("%sexpected %s, got something else", at(e), name(e.getTargetType()));
      case JsonMappingException e -> at(e) + e.getOriginalMessage();
      default -> "expected JSON: " + mistake.getOriginalMessage();
    };
  }

  private static String at(JsonMappingException e) {
    return e.getPath().isEmpty() ? "" : field(e) + ": ";
  }

  /// As `kinds.query.check`.
  private static String field(JsonMappingException e) {
    return e.getPath().stream()
        .map(it -> it.getFieldName() == null ? Integer.toString(it.getIndex()) : it.getFieldName())
        .collect(Collectors.joining("."));
  }

  private static String name(Class<?> type) {
    if (type == int.class || type == Integer.class || type == long.class) {
      return "a whole number";
    }
    if (type == double.class || type == Double.class) {
      return "a number";
    }
    if (type == String.class) {
      return "a text";
    }
    return Iterable.class.isAssignableFrom(type) ? "a list" : "an object";
  }
}
