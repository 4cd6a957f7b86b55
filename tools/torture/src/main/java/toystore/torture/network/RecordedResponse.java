package toystore.torture.network;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import toystore.clients.RawClient;

/// A complete response.
///
/// @param replayed whether it has `Idempotency-Replayed: true`
/// @param key its `Idempotency-Key`; empty: none
record RecordedResponse(int status, String body, boolean replayed, String key) {
  private static final Pattern NUMBER = Pattern.compile("\"order_number\":(\\d+)");
  private static final Pattern QUANTITY = Pattern.compile("\"quantity\":(\\d+)");
  private static final Pattern LEFT =
      Pattern.compile("\"message\":\"\\\\\"([^\\\\]+)\\\\\" has (\\d+) left");

  /// The number of the order that was placed.
  long number() {
    return Long.parseLong(find(NUMBER).group(1));
  }

  /// The stock of a product that was queried or restocked.
  long quantity() {
    return Long.parseLong(find(QUANTITY).group(1));
  }

  /// The product whose stock was too low.
  String shortOf() {
    return find(LEFT).group(1);
  }

  /// The stock of that product.
  long left() {
    return Long.parseLong(find(LEFT).group(2));
  }

  private Matcher find(Pattern pattern) {
    Matcher matcher = pattern.matcher(body);
    if (!matcher.find()) {
      throw new AssertionError("response " + status + " " + body + " does not match " + pattern);
    }
    return matcher;
  }

  /// Parses a response; null if it is incomplete.
  static @Nullable RecordedResponse of(String received) {
    int end = received.indexOf("\r\n\r\n");
    if (end < 0) {
      return null;
    }
    String head = received.substring(0, end + 2);
    String body = received.substring(end + 4);
    return RawClient.header(head, "content-length").equals(Integer.toString(body.length()))
        ? new RecordedResponse(
            Integer.parseInt(head.substring(9, 12)),
            body,
            RawClient.header(head, "idempotency-replayed").equals("true"),
            RawClient.header(head, "idempotency-key"))
        : null;
  }
}
