package toystore.frontend.http;

import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.impl.TimeBasedEpochGenerator;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.List;
import toystore.platform.idempotency.RequestKey;

/// What makes a POST one that may be repeated.
///
/// @param value 1 to 255 printable ASCII characters
/// @param clientMade whether the client chose it; else it was made here for this request
public record IdempotencyKey(String value, boolean clientMade) {
  public static final String HEADER = "Idempotency-Key";

  private static final TimeBasedEpochGenerator TIME_ORDERED = Generators.timeBasedEpochGenerator();

  /// The key a request bears, or a fresh one where it bears none.
  static IdempotencyKey of(HttpServletRequest request) {
    List<String> values = Collections.list(request.getHeaders(HEADER));
    return switch (values.size()) {
      case 0 -> generate();
      case 1 -> fromClient(values.getFirst());
      default ->
          throw ApiError.badRequest(
              "Idempotency-Key must be given once, got " + values.size() + " values");
    };
  }

  /// Time-ordered, so that the index it goes into stays warm.
  public static IdempotencyKey generate() {
    return new IdempotencyKey(TIME_ORDERED.generate().toString(), false);
  }

  /// The key a client gives.
  public static IdempotencyKey fromClient(String value) {
    if (!RequestKey.isValue(value)) {
      throw ApiError.badRequest("Idempotency-Key must be 1 to 255 printable ASCII characters");
    }
    return new IdempotencyKey(value, true);
  }
}
