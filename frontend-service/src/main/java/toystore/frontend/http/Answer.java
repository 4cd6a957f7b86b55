package toystore.frontend.http;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.databind.json.JsonMapper;
import toystore.service.watch.Trail;

/// An answer in the store's envelope: `{"data": …}` or `{"error": {"code", "message"}}`.
public record Answer(int status, Object envelope, Map<String, String> headers) {
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN).build();

  public static Answer ok(Object data) {
    return new Answer(200, new Data(data), Map.of());
  }

  public static Answer created(Object data) {
    return new Answer(201, new Data(data), Map.of());
  }

  static Answer error(int status, String message) {
    Map<String, String> headers =
        switch (status) {
          case 401 -> Map.of("WWW-Authenticate", "Bearer");
          case 503 -> Map.of("Retry-After", "1");
          default -> Map.of();
        };
    return new Answer(status, new Failure(new Reason(status, message)), headers);
  }

  /// This answer, marked where it is the stored one for a known key.
  public Answer replayed(boolean replayed) {
    return replayed ? with("Idempotency-Replayed", "true") : this;
  }

  /// This answer with a header of its own instead of others.
  Answer with(String header, String value) {
    return new Answer(status, envelope, Map.of(header, value));
  }

  /// Writes the whole answer, with its length, so that a client knows its end in any HTTP version.
  void writeTo(HttpServletResponse response) throws IOException {
    byte[] body = JSON.writeValueAsBytes(envelope);
    response.setStatus(status);
    response.setContentType("application/json");
    response.setContentLength(body.length);
    response.setHeader("Cache-Control", "no-store");
    headers.forEach(response::setHeader);
    ServerTiming.tell(Trail.current(), response);
    response.getOutputStream().write(body);
  }

  private record Data(Object data) {}

  private record Failure(Reason error) {}

  private record Reason(int code, String message) {}
}
