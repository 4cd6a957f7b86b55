package toystore.frontend.http;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.databind.json.JsonMapper;

/// An answer in the store's envelope: `{"data": …}` or `{"error": {"code", "message"}}`.
public record Answer(int status, Object envelope, Map<String, String> headers) implements Reply {
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

  @Override
  public void writeTo(HttpServletResponse response) throws IOException {
    byte[] body = JSON.writeValueAsBytes(envelope);
    response.setHeader("Cache-Control", "no-store");
    new Content(status, "application/json", body, headers).writeTo(response);
  }

  private record Data(Object data) {}

  private record Failure(Reason error) {}

  private record Reason(int code, String message) {}
}
