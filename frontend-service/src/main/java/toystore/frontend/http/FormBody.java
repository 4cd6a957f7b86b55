package toystore.frontend.http;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// The fields of a form in the body of a request (`application/x-www-form-urlencoded`, UTF-8). The
/// size limit is the same as for JSON. Unknown fields are ignored.
public final class FormBody {
  private final Map<String, String> fields;

  private FormBody(Map<String, String> fields) {
    this.fields = fields;
  }

  static FormBody parse(byte[] body) {
    var fields = new HashMap<String, String>();
    for (String field : new String(body, StandardCharsets.US_ASCII).split("&")) {
      String[] parts = field.split("=", 2);
      String value = parts.length == 1 ? "" : decoded(parts[1]);
      String name = decoded(parts[0]);
      if (fields.put(name, value) != null) {
        throw ApiException.badRequest(
            "form field %s must be given once".formatted(JsonBody.shorten(name)));
      }
    }
    return new FormBody(fields);
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
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw ApiException.badRequest("form body is not valid percent-encoded UTF-8");
    }
  }
}
