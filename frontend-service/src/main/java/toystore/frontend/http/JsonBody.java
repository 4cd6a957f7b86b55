package toystore.frontend.http;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The JSON object in the body of a request. Types are not converted: a number must be a JSON
/// number, a text a JSON string. A field with another type or value throws an [ApiException] (400)
/// that names the expected and the received value.
public final class JsonBody {
  private static final int MAX_COUNT = Integer.MAX_VALUE;
  private static final long MAX_AMOUNT = 9_000_000_000_000_000L;
  private static final BigDecimal MIN_PRICE = new BigDecimal("0.01");
  private static final BigDecimal MAX_PRICE = new BigDecimal("1000000000.00");
  private static final int MAX_SHOWN = 40;

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build();

  private final JsonNode object;

  private JsonBody(JsonNode object) {
    this.object = object;
  }

  static JsonBody parse(byte[] body) {
    JsonNode node = readTree(body, true);
    if (!node.isObject()) {
      throw ApiException.badRequest("request body must be a JSON object, " + describe(node));
    }
    return new JsonBody(node);
  }

  /// Parses a body that may contain a password or a card number. Errors do not quote it.
  static JsonBody parseSecret(byte[] body) {
    JsonNode node = readTree(body, false);
    if (!node.isObject()) {
      throw ApiException.badRequest("request body must be a JSON object");
    }
    return new JsonBody(node);
  }

  /// Throws an error if the object has a field with another name.
  ///
  /// @return this
  public JsonBody allowOnly(String... names) {
    Set<String> known = Set.of(names);
    object.propertyNames().stream()
        .filter(it -> !known.contains(it))
        .findFirst()
        .ifPresent(it -> {
          throw ApiException.badRequest(
              "unknown field \"%s\"; known fields are %s"
                  .formatted(shorten(it), String.join(", ", names)));
        });
    return this;
  }

  /// Whether the field is present, even if it is null.
  public boolean has(String name) {
    return object.has(name);
  }

  /// Returns a non-empty string.
  public String text(String name) {
    JsonNode field = object.get(name);
    if (field == null || !field.isString() || field.stringValue().isEmpty()) {
      throw invalid(name, "a non-empty string", field);
    }
    return field.stringValue();
  }

  /// Returns a string of at most `maxLength` characters (code points); empty if the field is absent
  /// or null.
  public Optional<String> optionalText(String name, int maxLength) {
    JsonNode field = object.get(name);
    if (field == null || field.isNull()) {
      return Optional.empty();
    }
    if (!field.isString()
        || field.stringValue().codePointCount(0, field.stringValue().length()) > maxLength) {
      throw invalid(name, "a string of at most " + maxLength + " characters", field);
    }
    return Optional.of(field.stringValue());
  }

  /// Returns a string of 1 to `maxLength` characters (code points) without control characters.
  public String text(String name, int maxLength) {
    JsonNode field = object.get(name);
    if (field == null || !isText(field, maxLength)) {
      throw invalid(
          name, "a string of 1 to " + maxLength + " characters without control characters", field);
    }
    return field.stringValue();
  }

  /// Returns an array of at most `maxSize` strings of 1 to `maxLength` characters; empty if the
  /// field is absent or null.
  public List<String> optionalTexts(String name, int maxSize, int maxLength) {
    JsonNode field = object.get(name);
    if (field == null || field.isNull()) {
      return List.of();
    }
    if (!field.isArray()
        || field.size() > maxSize
        || !field.valueStream().allMatch(it -> isText(it, maxLength))) {
      throw invalid(
          name,
          "an array of at most %d strings of 1 to %d characters".formatted(maxSize, maxLength),
          field);
    }
    return field.valueStream().map(JsonNode::stringValue).toList();
  }

  /// Returns a string that must not be shown, such as a password: errors do not quote it.
  ///
  /// @param expected completes "NAME must be"
  public String secret(String name, String expected, Predicate<String> isValid) {
    JsonNode field = object.get(name);
    if (field == null || !field.isString() || !isValid.test(field.stringValue())) {
      throw ApiException.badRequest(name + " must be " + expected);
    }
    return field.stringValue();
  }

  /// Returns an integer from 1 to 2,147,483,647. It must be written without fraction or exponent.
  public int count(String name) {
    return (int) integer(name, 1, MAX_COUNT);
  }

  /// Returns an integer in a range. It must be written without fraction or exponent.
  public long integer(String name, long from, long to) {
    JsonNode field = object.get(name);
    if (field == null
        || !field.isIntegralNumber()
        || !field.canConvertToLong()
        || field.longValue() < from
        || field.longValue() > to) {
      throw invalid(name, "an integer from %d to %d".formatted(from, to), field);
    }
    return field.longValue();
  }

  /// Returns an integer from 1 to 9,000,000,000,000,000, written without fraction or exponent;
  /// empty if the field is absent.
  public OptionalLong optionalAmount(String name) {
    return has(name) ? OptionalLong.of(integer(name, 1, MAX_AMOUNT)) : OptionalLong.empty();
  }

  /// Returns a price in cents.
  public long priceCents(String name) {
    JsonNode field = object.get(name);
    if (field == null || !field.isNumber()) {
      throw invalidPrice(name, field);
    }
    BigDecimal price = field.decimalValue();
    if (price.compareTo(MIN_PRICE) < 0
        || price.compareTo(MAX_PRICE) > 0
        || price.stripTrailingZeros().scale() > 2) {
      throw invalidPrice(name, field);
    }
    return price.movePointRight(2).longValueExact();
  }

  /// Returns an exact amount times 10^`decimals`, written as a number or as a string such as
  /// `"12.5"`.
  ///
  /// @param min the smallest amount, in the same units
  public long fixedPoint(String name, int decimals, long min) {
    JsonNode field = object.get(name);
    OptionalLong amount =
        field == null
            ? OptionalLong.empty()
            : field.isNumber()
                ? DecimalAmounts.exact(field.decimalValue(), decimals)
                : field.isString()
                    ? DecimalAmounts.parse(field.stringValue(), decimals)
                    : OptionalLong.empty();
    if (amount.isEmpty() || amount.getAsLong() < min) {
      throw invalid(name, DecimalAmounts.expected(decimals, min), field);
    }
    return amount.getAsLong();
  }

  /// Returns an array of 1 to `maxSize` objects.
  public List<JsonBody> list(String name, int maxSize) {
    JsonNode field = object.get(name);
    if (field == null
        || !field.isArray()
        || field.isEmpty()
        || field.size() > maxSize
        || !field.valueStream().allMatch(JsonNode::isObject)) {
      throw invalid(name, "an array of 1 to " + maxSize + " objects", field);
    }
    return field.valueStream().map(JsonBody::new).toList();
  }

  /// Whether the field is a string that equals `text`, ignoring case.
  public boolean hasText(String name, String text) {
    JsonNode field = object.get(name);
    return field != null && field.isString() && field.stringValue().equalsIgnoreCase(text);
  }

  /// Whether the field is a string that equals `text`.
  public boolean isText(String name, String text) {
    JsonNode field = object.get(name);
    return field != null && field.isString() && field.stringValue().equals(text);
  }

  /// Returns the error for an invalid field.
  public ApiException invalid(String name, String expected) {
    return invalid(name, expected, object.get(name));
  }

  /// Shortens a text from a client for an error message.
  public static String shorten(String text) {
    return text.length() > MAX_SHOWN ? text.substring(0, MAX_SHOWN) + "…" : text;
  }

  private static boolean isText(JsonNode field, int maxLength) {
    if (!field.isString()) {
      return false;
    }
    String text = field.stringValue();
    return !text.isEmpty()
        && text.codePointCount(0, text.length()) <= maxLength
        && text.codePoints()
            .noneMatch(
                c -> Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE);
  }

  /// @param quoting whether errors may quote the body
  private static JsonNode readTree(byte[] body, boolean quoting) {
    try {
      return JSON.readTree(
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString());
    } catch (CharacterCodingException e) {
      throw ApiException.badRequest("request body is not valid UTF-8");
    } catch (JacksonException e) {
      throw ApiException.badRequest(
          quoting
              ? "request body is not valid JSON: " + e.getOriginalMessage()
              : "request body is not valid JSON: error in line %d, column %d"
                  .formatted(e.getLocation().getLineNr(), e.getLocation().getColumnNr()));
    } catch (NumberFormatException e) { // the exponent has ten or more digits
      throw ApiException.badRequest("request body holds a number with too large an exponent");
    }
  }

  private static ApiException invalidPrice(String name, @Nullable JsonNode field) {
    return invalid(name, "a number from 0.01 to 1000000000.00 with at most two decimals", field);
  }

  private static ApiException invalid(String name, String expected, @Nullable JsonNode field) {
    return ApiException.badRequest(name + " must be " + expected + ", " + describe(field));
  }

  private static String describe(@Nullable JsonNode node) {
    if (node == null || node.isMissingNode()) {
      return "but it is missing";
    }
    if (node.isArray()) {
      return "got an array of length " + node.size();
    }
    String text = node.isObject() ? "an object" : node.toString();
    return "got " + shorten(text);
  }
}
