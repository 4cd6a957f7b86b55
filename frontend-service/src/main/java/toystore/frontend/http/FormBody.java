package toystore.frontend.http;

import jakarta.servlet.http.HttpServletRequest;
import java.math.BigDecimal;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import toystore.platform.text.PlainDecimal;

/// The fields of a form in the body of a request (`application/x-www-form-urlencoded`, UTF-8). The
/// size limit is the same as for JSON. Unknown fields are ignored.
public final class FormBody {
  private final Map<String, String> fields;

  private FormBody(Map<String, String> fields) {
    this.fields = fields;
  }

  static FormBody parse(byte[] body) {
    var fields = new HashMap<String, String>();
    for (String field : new String(body, StandardCharsets.ISO_8859_1).split("&")) {
      String[] parts = field.split("=", 2);
      String value = parts.length == 1 ? "" : decoded(parts[1]);
      String name = decoded(parts[0]);
      if (fields.put(name, value) != null) {
        throw ApiException.badRequest(
            String.format(
                Locale.ROOT, "form field %s must be given once", ApiException.shorten(name)));
      }
    }
    return new FormBody(fields);
  }

  /// Returns the form in the body of a request.
  public static FormBody of(HttpServletRequest request) {
    return parse(BodyFilter.body(request));
  }

  public Map<String, String> fields() {
    return Map.copyOf(fields);
  }

  /// Returns the idempotency key in the field `key`, made when the form was rendered.
  public IdempotencyKey key() {
    return IdempotencyKey.fromClient(text("key"));
  }

  /// Returns an integer from 1 to 2,147,483,647.
  public int count(String name) {
    return (int) number(name, 1, Integer.MAX_VALUE);
  }

  public long number(String name, long from, long to) {
    return PagedResponse.parseNumber(name, text(name).strip(), from, to);
  }

  /// Returns a price in cents. The catalog checks its range.
  public long priceCents(String name) {
    String text = text(name).strip();
    OptionalLong cents = PlainDecimal.parse(text, 2);
    if (cents.isEmpty() || cents.getAsLong() < 0) {
      throw ApiException.badRequest(
          String.format(
              Locale.ROOT,
              "%s must be an amount such as 12.50, got %s",
              name,
              ApiException.shorten(text)));
    }
    return cents.getAsLong();
  }

  /// Returns an exact amount.
  ///
  /// @param min the smallest amount, times 10^`decimals`
  public BigDecimal fixedPoint(String name, int decimals, long min) {
    String text = text(name).strip();
    OptionalLong amount = PlainDecimal.parse(text, decimals);
    if (amount.isEmpty() || amount.getAsLong() < min) {
      throw ApiException.badRequest(
          String.format(
              Locale.ROOT,
              "%s must be %s, got %s",
              name,
              DecimalAmounts.expected(decimals, min),
              ApiException.shorten(text)));
    }
    return BigDecimal.valueOf(amount.getAsLong(), decimals);
  }

  /// Returns the constant with this name, in lower case.
  public <E extends Enum<E>> E choice(String name, Class<E> type) {
    List<E> all = List.of(type.getEnumConstants());
    List<String> words = all.stream().map(it -> it.name().toLowerCase(Locale.ROOT)).toList();
    int index = words.indexOf(text(name));
    if (index < 0) {
      throw ApiException.badRequest(name + " must be " + String.join(" or ", words));
    }
    return all.get(index);
  }

  /// Returns a non-empty text.
  public String text(String name) {
    return optionalText(name)
        .orElseThrow(() ->
            ApiException.badRequest(
                name + " must be a non-empty string, but it is missing or empty"));
  }

  /// Returns a text; empty if the field is missing or empty.
  public Optional<String> optionalText(String name) {
    return Optional.ofNullable(fields.get(name)).filter(value -> !value.isEmpty());
  }

  private static String decoded(String text) {
    try {
      byte[] utf8 =
          URLDecoder.decode(text, StandardCharsets.ISO_8859_1)
              .getBytes(StandardCharsets.ISO_8859_1);
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString();
    } catch (IllegalArgumentException | CharacterCodingException e) {
      throw ApiException.badRequest("form body is not valid percent-encoded UTF-8");
    }
  }
}
