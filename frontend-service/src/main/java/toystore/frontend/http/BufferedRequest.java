package toystore.frontend.http;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.ByteArrayInputStream;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;

/// A request with its body in memory. The body is JSON for a controller that reads it, and a form
/// (`application/x-www-form-urlencoded`, UTF-8) for one that reads parameters, whatever its type
/// says.
final class BufferedRequest extends HttpServletRequestWrapper {
  private final byte[] body;
  private @Nullable Map<String, String[]> parameters;

  BufferedRequest(HttpServletRequest request, byte[] body) {
    super(request);
    this.body = body;
  }

  @Override
  public String getContentType() {
    return MediaType.APPLICATION_JSON_VALUE;
  }

  @Override
  public String getHeader(String name) {
    return HttpHeaders.CONTENT_TYPE.equalsIgnoreCase(name)
        ? getContentType()
        : super.getHeader(name);
  }

  @Override
  public Enumeration<String> getHeaders(String name) {
    return HttpHeaders.CONTENT_TYPE.equalsIgnoreCase(name)
        ? Collections.enumeration(List.of(getContentType()))
        : super.getHeaders(name);
  }

  @Override
  public ServletInputStream getInputStream() {
    return new BodyStream(body);
  }

  @Override
  public Map<String, String[]> getParameterMap() {
    if (parameters == null) {
      var all = new LinkedHashMap<>(super.getParameterMap());
      form(body).forEach((name, value) -> all.put(name, new String[] {value}));
      parameters = Collections.unmodifiableMap(all);
    }
    return parameters;
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
  static Map<String, String> form(byte[] body) {
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

  private static final class BodyStream extends ServletInputStream {
    private final ByteArrayInputStream bytes;

    BodyStream(byte[] body) {
      bytes = new ByteArrayInputStream(body);
    }

    @Override
    public int read() {
      return bytes.read();
    }

    @Override
    public int read(byte[] target, int offset, int length) {
      return bytes.read(target, offset, length);
    }

    @Override
    public boolean isFinished() {
      return bytes.available() == 0;
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setReadListener(ReadListener listener) {
      throw new UnsupportedOperationException("the body is in memory");
    }
  }
}
