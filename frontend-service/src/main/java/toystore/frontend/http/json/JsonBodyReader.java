package toystore.frontend.http.json;

import jakarta.validation.ConstraintViolation;
import jakarta.validation.Validator;
import jakarta.validation.metadata.ConstraintDescriptor;
import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.validation.FieldError;
import org.springframework.web.bind.MethodArgumentNotValidException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonPointer;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.filter.FilteringParserDelegate;
import tools.jackson.core.filter.JsonPointerBasedFilter;
import tools.jackson.core.filter.TokenFilter;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import toystore.frontend.http.error.ApiException;

/// Reads and checks JSON bodies. Says why one was refused: what is wrong, what was expected, what
/// was received. What a field must be is the message of its constraint, or the words of its enum.
/// The texts of the parser are not shown, and of the body only the value of that field, unless it
/// is [Secret].
@Component
public final class JsonBodyReader {
  private static final String NO_JSON = "request body is not valid JSON: ";
  private static final StreamReadConstraints LIMITS =
      Json.MAPPER.tokenStreamFactory().streamReadConstraints();

  private final Validator validator;

  public JsonBodyReader(Validator validator) {
    this.validator = validator;
  }

  /// @throws ApiException (400) if it is no JSON, has a wrong field, or violates a constraint
  public <T> T read(byte[] body, Class<T> type) {
    T value;
    try {
      value = type.cast(Json.read(body, type));
    } catch (JacksonException e) {
      throw unreadable(e, body);
    }
    if (value == null) {
      throw unreadable(null, body);
    }
    validator.validate(value).stream()
        .min(Comparator.comparing(it -> it.getPropertyPath().toString()))
        .ifPresent(it -> {
          throw violation(it);
        });
    return value;
  }

  /// @param failure null if there is no body, or if it is `null`
  private ApiException unreadable(@Nullable Throwable failure, byte[] body) {
    return switch (failure) {
      case JacksonException it when it.getCause() instanceof ApiException refusal -> refusal;
      case StreamConstraintsException _ ->
          invalid(
              "request body must have at most %d levels, %d characters in a number and %d in a"
                  + " name",
              LIMITS.getMaxNestingDepth(), LIMITS.getMaxNumberLength(), LIMITS.getMaxNameLength());
      case UnrecognizedPropertyException it ->
          invalid(
              "unknown field \"%s\"; known fields are %s",
              ApiException.shorten(it.getPropertyName()),
              it.getKnownPropertyIds().stream()
                  .map(Object::toString)
                  .collect(Collectors.joining(", ")));
      case StreamReadException it when !(it instanceof InputCoercionException) -> noJson(it);
      case JacksonException it when !it.getPath().isEmpty() -> field(it.getPath(), body);
      case null, default -> noObject(body);
    };
  }

  private static ApiException noJson(StreamReadException failure) {
    var at = failure.getLocation();
    return invalid(
        NO_JSON + "%s in line %d, column %d",
        failure.getOriginalMessage().startsWith("Duplicate") ? "duplicate field" : "error",
        at.getLineNr(),
        at.getColumnNr());
  }

  private static ApiException noObject(byte[] body) {
    try (JsonParser parser = Json.MAPPER.createParser(body)) {
      String received =
          switch (parser.nextToken()) {
            case null -> "but it is missing";
            case START_ARRAY -> "got an array";
            case VALUE_STRING -> "got a string";
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> "got a number";
            case JsonToken other -> "got " + other.asString();
          };
      return parser.currentToken() == JsonToken.START_OBJECT
          ? invalid(NO_JSON + "more text after its end")
          : invalid("request body must be a JSON object, %s", received);
    }
  }

  /// @param path to the value that is wrong: a field, or an element of it
  private ApiException field(List<JacksonException.Reference> path, byte[] body) {
    var pointer = JsonPointer.empty();
    var field = pointer;
    Class<?> bean = Object.class;
    for (JacksonException.Reference it : path) {
      if (it.getPropertyName() == null) {
        pointer = pointer.appendIndex(it.getIndex());
      } else {
        pointer = pointer.appendProperty(it.getPropertyName());
        field = pointer;
        bean = it.from() instanceof Class<?> type ? type : it.from().getClass();
      }
    }
    return field(bean, field.last().getMatchingProperty(), received(field, body));
  }

  private ApiException field(Class<?> bean, String name, String received) {
    RecordComponent component =
        Stream.of(bean.getRecordComponents())
            .filter(it -> translated(it.getName()).equals(name))
            .findFirst()
            .orElseThrow();
    Optional<? extends ConstraintDescriptor<?>> constraint =
        Optional.ofNullable(
                validator
                    .getConstraintsForClass(bean)
                    .getConstraintsForProperty(component.getName()))
            .flatMap(it -> it.getConstraintDescriptors().stream().findFirst());
    return constraint.isPresent()
        ? field(name, message(constraint.get()), received, constraint.get())
        : invalid("%s must be %s, %s", name, words(component.getType()), received);
  }

  private static ApiException field(
      String name, String expected, String received, ConstraintDescriptor<?> constraint) {
    return constraint.getPayload().contains(Secret.class)
        ? invalid("%s %s", name, expected)
        : invalid("%s %s, %s", name, expected, received);
  }

  private static String message(ConstraintDescriptor<?> constraint) {
    String message = constraint.getMessageTemplate();
    for (Map.Entry<String, Object> it : constraint.getAttributes().entrySet()) {
      message = message.replace("{" + it.getKey() + "}", it.getValue().toString());
    }
    return message;
  }

  private static String words(Class<?> type) {
    return Stream.of(type.getEnumConstants())
        .map(it -> it.toString().toLowerCase(Locale.ROOT))
        .collect(Collectors.joining(" or "));
  }

  /// Returns the error for the first field that has a wrong type or violates its constraint.
  public ApiException invalidField(MethodArgumentNotValidException failure) {
    FieldError error =
        failure.getFieldErrors().stream()
            .min(Comparator.comparing(FieldError::getField))
            .orElseThrow();
    return error.contains(ConstraintViolation.class)
        ? violation(error.unwrap(ConstraintViolation.class))
        : field(
            failure.getParameter().getParameterType(),
            translated(error.getField()),
            describe(error.getRejectedValue()));
  }

  private static ApiException violation(ConstraintViolation<?> violation) {
    return field(
        translated(violation.getPropertyPath().toString().replaceFirst(".*\\.", "")),
        violation.getMessage(),
        describe(violation.getInvalidValue()),
        violation.getConstraintDescriptor());
  }

  private static String describe(@Nullable Object value) {
    return switch (value) {
      case null -> "but it is missing";
      case Collection<?> it -> "got an array of length " + it.size();
      default -> "got " + ApiException.shorten(Json.text(value));
    };
  }

  /// Returns the field's value as it was written.
  private static String received(JsonPointer field, byte[] body) {
    try (JsonParser parser =
        new FilteringParserDelegate(
            Json.MAPPER.createParser(body),
            new JsonPointerBasedFilter(field),
            TokenFilter.Inclusion.ONLY_INCLUDE_ALL,
            false)) {
      parser.nextToken();
      return describe(parser);
    } catch (JacksonException e) {
      return "got no valid JSON";
    }
  }

  private static String describe(JsonParser parser) {
    return switch (parser.currentToken()) {
      case null -> "but it is missing";
      case START_OBJECT -> "got an object";
      case START_ARRAY -> "got an array of length " + length(parser);
      case VALUE_STRING ->
          "got " + ApiException.shorten(Json.text(ApiException.valid(parser.getString())));
      default -> "got " + ApiException.shorten(parser.getString());
    };
  }

  private static int length(JsonParser array) {
    int length = 0;
    for (; array.nextToken() != JsonToken.END_ARRAY; length++) {
      array.skipChildren();
    }
    return length;
  }

  private static String translated(String property) {
    return property.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
  }

  private static ApiException invalid(String message, Object... values) {
    return ApiException.badRequest(String.format(Locale.ROOT, message, values));
  }
}
