package toystore.frontend.http;

import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.impl.TimeBasedEpochGenerator;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.List;
import toystore.platform.idempotency.RequestKey;

/// The idempotency key of a POST request. A request can be repeated safely with the same key.
///
/// @param value 1 to 255 printable ASCII characters
/// @param clientMade true if the client sent the key; false if it was generated here
public record IdempotencyKey(String value, boolean clientMade) {
  public static final String HEADER = "Idempotency-Key";

  private static final TimeBasedEpochGenerator TIME_ORDERED = Generators.timeBasedEpochGenerator();

  /// Returns the key of the request, or a generated key if it has none.
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

  /// Generates a time-ordered key (UUID version 7). Time order keeps inserts into the index of the
  /// database local.
  public static IdempotencyKey generate() {
    return new IdempotencyKey(TIME_ORDERED.generate().toString(), false);
  }

  /// Validates a key from a client.
  public static IdempotencyKey fromClient(String value) {
    if (!RequestKey.isValue(value)) {
      throw ApiError.badRequest("Idempotency-Key must be 1 to 255 printable ASCII characters");
    }
    return new IdempotencyKey(value, true);
  }
}
