package toystore.frontend.http.key;

import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.impl.TimeBasedEpochGenerator;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import toystore.frontend.http.error.ApiException;
import toystore.platform.journal.RequestKey;

/// The idempotency key of a POST request. A request can be repeated safely with the same key.
///
/// @param value 1 to 255 printable ASCII characters, without the quotes of a quoted string
/// @param clientMade true if the client sent the key; false if it was generated here
public record IdempotencyKey(String value, boolean clientMade) {
  public static final String HEADER = "Idempotency-Key";

  private static final Pattern QUOTED_STRING =
      Pattern.compile("\"([ !#-\\[\\]-~]|\\\\[\"\\\\])*+\"");
  private static final Pattern ESCAPED = Pattern.compile("\\\\([\"\\\\])");

  private static final TimeBasedEpochGenerator TIME_ORDERED = Generators.timeBasedEpochGenerator();

  public RequestKey in(String path) {
    return in(path, null);
  }

  /// The key in its scope, see [RequestKey#scope].
  public RequestKey in(String path, @Nullable String user) {
    return new RequestKey(RequestKey.scope("POST", path, user), value, clientMade);
  }

  /// Returns the key of the request, or a generated key if it has none.
  public static IdempotencyKey of(HttpServletRequest request) {
    List<String> values = Collections.list(request.getHeaders(HEADER));
    return switch (values.size()) {
      case 0 -> generate();
      case 1 -> fromClient(values.getFirst());
      default ->
          throw ApiException.badRequest(
              "Idempotency-Key must be given once, got " + values.size() + " values");
    };
  }

  /// Generates a time-ordered key (UUID version 7). Time order keeps inserts into the index of the
  /// database local.
  public static IdempotencyKey generate() {
    return new IdempotencyKey(TIME_ORDERED.generate().toString(), false);
  }

  /// Validates a key from a client. A quoted string (RFC 8941) is the key between its quotes, as in
  /// the IETF draft of the header. Any other value is the key as it is.
  public static IdempotencyKey fromClient(String sent) {
    String value =
        QUOTED_STRING.matcher(sent).matches()
            ? ESCAPED.matcher(sent.substring(1, sent.length() - 1)).replaceAll("$1")
            : sent;
    if (!RequestKey.isValue(value)) {
      throw ApiException.badRequest("Idempotency-Key must be 1 to 255 printable ASCII characters");
    }
    return new IdempotencyKey(value, true);
  }
}
