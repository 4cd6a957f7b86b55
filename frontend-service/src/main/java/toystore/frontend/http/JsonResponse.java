package toystore.frontend.http;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import org.springframework.http.ProblemDetail;
import org.springframework.http.converter.json.ProblemDetailJacksonMixin;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.json.JsonMapper;

/// A JSON response: `{"data": …}`, a body without that envelope, or an error in the format that the
/// request prefers.
public record JsonResponse(int status, String type, Object body, Map<String, String> headers)
    implements HttpReply {
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
          .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
          .addMixIn(ProblemDetail.class, ProblemDetailJacksonMixin.class)
          .build();

  public static JsonResponse ok(Object data) {
    return data(200, data);
  }

  public static JsonResponse created(Object data) {
    return data(201, data);
  }

  /// Returns a response without the envelope, as at the paths under `/api`.
  public static JsonResponse plain(int status, Object body) {
    return new JsonResponse(status, ErrorFormat.ENVELOPE.mediaType(), body, Map.of());
  }

  /// Returns the JSON text of a view, without line feeds.
  public static String text(Object view) {
    return JSON.writeValueAsString(view);
  }

  /// @param request its path and `Accept` header determine the format
  static JsonResponse error(HttpServletRequest request, ApiException error) {
    Map<String, String> headers =
        switch (error.status()) {
          case 401 -> Map.of("WWW-Authenticate", "Bearer");
          case 415 -> Map.of("Accept-Encoding", "identity");
          case 429, 503 -> Map.of("Retry-After", error.retryAfter());
          default -> Map.of();
        };
    ErrorFormat format = ErrorFormat.of(request);
    return new JsonResponse(error.status(), format.mediaType(), format.body(error), headers);
  }

  /// Adds `Idempotency-Replayed` if this is a stored answer.
  public JsonResponse replayed(boolean replayed) {
    return replayed
        ? new JsonResponse(status, type, body, Map.of("Idempotency-Replayed", "true"))
        : this;
  }

  /// The same response with its JSON text already written, for repeated use.
  public JsonResponse encoded() {
    return new JsonResponse(status, type, new Encoded(JSON.writeValueAsBytes(body)), headers);
  }

  @Override
  public void writeTo(HttpServletResponse response) throws IOException {
    byte[] bytes = body instanceof Encoded encoded ? encoded.json : JSON.writeValueAsBytes(body);
    response.setHeader("Cache-Control", "no-store");
    new BytesResponse(status, type, bytes, headers).writeTo(response);
  }

  private static JsonResponse data(int status, Object data) {
    return plain(status, new Data(data));
  }

  private record Data(Object data) {}

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Encoded(byte[] json) {}
}
