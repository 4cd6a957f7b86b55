package toystore.frontend.http.request;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;
import toystore.frontend.http.error.ApiException;

/// A request whose body was read. For a controller that reads parameters, the body of a POST is a
/// form (`application/x-www-form-urlencoded`, UTF-8), whatever its type says. The query string of a
/// POST is ignored: proxies and logs keep URLs, so a URL must not work with a password or a token.
public final class BufferedRequest extends HttpServletRequestWrapper {
  private final byte[] body;
  private @Nullable Map<String, String[]> parameters;

  public BufferedRequest(HttpServletRequest request, byte[] body) {
    super(request);
    this.body = body;
  }

  /// Redirects encode their parameters with it; the default would be ISO-8859-1.
  @Override
  public String getCharacterEncoding() {
    return StandardCharsets.UTF_8.name();
  }

  @Override
  public Map<String, String[]> getParameterMap() {
    if (parameters == null) {
      parameters = HttpMethod.POST.matches(getMethod()) ? form() : super.getParameterMap();
    }
    return parameters;
  }

  private Map<String, String[]> form() {
    var fields = new LinkedHashMap<String, String[]>();
    form(body).forEach((name, value) -> fields.put(name, new String[] {value}));
    return Collections.unmodifiableMap(fields);
  }

  @Override
  public @Nullable String getParameter(String name) {
    String[] values = getParameterMap().get(name);
    return values == null ? null : values[0];
  }

  @Override
  public String @Nullable [] getParameterValues(String name) {
    return getParameterMap().get(name);
  }

  @Override
  public Enumeration<String> getParameterNames() {
    return Collections.enumeration(getParameterMap().keySet());
  }

  /// Returns the fields of a form, each of which must be there once.
  public static Map<String, String> form(byte[] body) {
    var fields = new LinkedHashMap<String, String>();
    for (String field : new String(body, StandardCharsets.ISO_8859_1).split("&")) {
      String[] parts = field.split("=", 2);
      String name = decoded(parts[0]);
      if (fields.put(name, parts.length == 1 ? "" : decoded(parts[1])) != null) {
        throw ApiException.badRequest(
            "form field " + ApiException.shorten(name) + " must be given once");
      }
    }
    return fields;
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
