package toystore.frontend.http;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import toystore.frontend.http.JsonReader.JsonNumber;
import toystore.platform.text.IdentifierText;
import toystore.platform.text.PlainDecimal;

/// The JSON object in the body of a request. Types are not converted: a number must be a JSON
/// number, a text a JSON string. A field with another type or value throws an [ApiException] (400)
/// that names the expected and the received value.
public final class JsonBody {
  private static final int MAX_COUNT = Integer.MAX_VALUE;
  private static final long MAX_AMOUNT = 9_000_000_000_000_000L;
  private static final long MAX_PRICE_CENTS = 100_000_000_000L;
  private static final int MAX_SHOWN = 40;

  private final Map<?, ?> object;

  private JsonBody(Map<?, ?> object) {
    this.object = object;
  }

  /// Errors do not quote the body, which may hold a password or a card number.
  static JsonBody parse(byte[] body) {
    return new JsonBody(JsonReader.readObject(body));
  }

  /// Throws an error if the object has a field with another name.
  ///
  /// @return this
  public JsonBody allowOnly(String... names) {
    Set<String> known = Set.of(names);
    object.keySet().stream()
        .map(Object::toString)
        .filter(it -> !known.contains(it))
        .findFirst()
        .ifPresent(it -> {
          throw ApiException.badRequest(
              String.format(
                  Locale.ROOT,
                  "unknown field \"%s\"; known fields are %s",
                  shorten(it),
                  String.join(", ", names)));
        });
    return this;
  }

  /// Whether the field is present, even if it is null.
  public boolean has(String name) {
    return object.containsKey(name);
  }

  /// Returns a non-empty string.
  public String text(String name) {
    if (object.get(name) instanceof String text && !text.isEmpty()) {
      return text;
    }
    throw invalid(name, "a non-empty string");
  }

  /// Returns a string of at most `maxLength` characters (code points); empty if the field is absent
  /// or null.
  public Optional<String> optionalText(String name, int maxLength) {
    Object field = object.get(name);
    if (field == null) {
      return Optional.empty();
    }
    if (field instanceof String text && text.codePointCount(0, text.length()) <= maxLength) {
      return Optional.of(text);
    }
    throw invalid(name, "a string of at most " + maxLength + " characters");
  }

  /// Returns a string of 1 to `maxLength` characters (code points in NFC) without control
  /// characters.
  public String text(String name, int maxLength) {
    if (!(object.get(name) instanceof String text) || !hasLength(text, maxLength)) {
      throw invalid(name, "a string of 1 to " + maxLength + " characters");
    }
    try {
      IdentifierText.checkControlCharacters(name, text);
    } catch (IllegalArgumentException e) {
      throw ApiException.badRequest(String.valueOf(e.getMessage()));
    }
    return text;
  }

  private static boolean hasLength(String text, int max) {
    String normalized = IdentifierText.normalized(text);
    return !text.isEmpty() && normalized.codePointCount(0, normalized.length()) <= max;
  }

  /// Returns an array of at most `maxSize` strings; empty if the field is absent or null.
  public List<String> optionalTexts(String name, int maxSize) {
    Object field = object.get(name);
    if (field == null) {
      return List.of();
    }
    if (field instanceof List<?> list
        && list.size() <= maxSize
        && list.stream().allMatch(String.class::isInstance)) {
      return list.stream().map(String.class::cast).toList();
    }
    throw invalid(name, "an array of at most " + maxSize + " strings");
  }

  /// Returns a string that must not be shown, such as a password: errors do not quote it.
  ///
  /// @param expected completes "NAME must be"
  public String secret(String name, String expected, Predicate<String> isValid) {
    if (object.get(name) instanceof String text && isValid.test(text)) {
      return text;
    }
    throw ApiException.badRequest(name + " must be " + expected);
  }

  /// Returns an integer from 1 to 2,147,483,647. It must be written without fraction or exponent.
  public int count(String name) {
    return (int) integer(name, 1, MAX_COUNT);
  }

  /// Returns an integer in a range. It must be written without fraction or exponent.
  public long integer(String name, long from, long to) {
    OptionalLong number =
        object.get(name) instanceof JsonNumber it
            ? PlainDecimal.parseInteger(it.text())
            : OptionalLong.empty();
    if (number.isEmpty() || number.getAsLong() < from || number.getAsLong() > to) {
      throw invalid(name, String.format(Locale.ROOT, "an integer from %d to %d", from, to));
    }
    return number.getAsLong();
  }

  /// Returns an integer from 1 to 9,000,000,000,000,000, written without fraction or exponent;
  /// empty if the field is absent.
  public OptionalLong optionalAmount(String name) {
    return has(name) ? OptionalLong.of(integer(name, 1, MAX_AMOUNT)) : OptionalLong.empty();
  }

  /// Returns a price in cents. It must be written without exponent.
  public long priceCents(String name) {
    OptionalLong cents =
        object.get(name) instanceof JsonNumber it
            ? PlainDecimal.parse(it.text(), 2)
            : OptionalLong.empty();
    if (cents.isEmpty() || cents.getAsLong() < 1 || cents.getAsLong() > MAX_PRICE_CENTS) {
      throw invalid(
          name, "a number from 0.01 to 1000000000.00 with at most two decimals and no exponent");
    }
    return cents.getAsLong();
  }

  /// Returns an exact amount times 10^`decimals`, written as a number, or as a string with the same
  /// text.
  ///
  /// @param min the smallest amount, in the same units
  public long fixedPoint(String name, int decimals, long min) {
    OptionalLong amount =
        switch (object.get(name)) {
          case JsonNumber number -> PlainDecimal.parse(number.text(), decimals);
          case String text -> PlainDecimal.parse(text, decimals);
          case null, default -> OptionalLong.empty();
        };
    if (amount.isEmpty() || amount.getAsLong() < min) {
      throw invalid(name, DecimalAmounts.expected(decimals, min));
    }
    return amount.getAsLong();
  }

  /// Returns an array of 1 to `maxSize` objects.
  public List<JsonBody> list(String name, int maxSize) {
    if (object.get(name) instanceof List<?> list
        && !list.isEmpty()
        && list.size() <= maxSize
        && list.stream().allMatch(Map.class::isInstance)) {
      return list.stream().map(it -> new JsonBody((Map<?, ?>) it)).toList();
    }
    throw invalid(name, "an array of 1 to " + maxSize + " objects");
  }

  /// Whether the field is a string that equals `text`, ignoring case.
  public boolean hasText(String name, String text) {
    return object.get(name) instanceof String field && field.equalsIgnoreCase(text);
  }

  /// Whether the field is a string that equals `text`.
  public boolean isText(String name, String text) {
    return text.equals(object.get(name));
  }

  /// Returns the error for an invalid field.
  public ApiException invalid(String name, String expected) {
    return ApiException.badRequest(name + " must be " + expected + ", " + describe(name));
  }

  /// Shortens a text from a client for an error message.
  public static String shorten(String text) {
    return text.codePointCount(0, text.length()) > MAX_SHOWN
        ? text.substring(0, text.offsetByCodePoints(0, MAX_SHOWN)) + "…"
        : text;
  }

  private String describe(String name) {
    return switch (object.get(name)) {
      case null -> object.containsKey(name) ? "got null" : "but it is missing";
      case Map<?, ?> _ -> "got an object";
      case List<?> list -> "got an array of length " + list.size();
      case String text -> "got " + shorten(JsonResponse.text(text));
      case JsonNumber number -> "got " + shorten(number.text());
      case Object other -> "got " + other;
    };
  }
}
