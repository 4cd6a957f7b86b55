package toystore.torture.network;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

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
    return Long.parseLong(found(NUMBER).group(1));
  }

  /// The stock of a product that was queried or restocked.
  long quantity() {
    return Long.parseLong(found(QUANTITY).group(1));
  }

  /// The product whose stock was too low.
  String shortOf() {
    return found(LEFT).group(1);
  }

  /// The stock of that product.
  long left() {
    return Long.parseLong(found(LEFT).group(2));
  }

  private Matcher found(Pattern pattern) {
    Matcher matcher = pattern.matcher(body);
    if (!matcher.find()) {
      throw new AssertionError(
          String.format(Locale.ROOT, "response %d %s does not match %s", status, body, pattern));
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
    return header(head, "Content-Length").equals(Integer.toString(body.length()))
        ? new RecordedResponse(
            Integer.parseInt(head.substring(9, 12)),
            body,
            header(head, "Idempotency-Replayed").equals("true"),
            header(head, "Idempotency-Key"))
        : null;
  }

  private static String header(String head, String name) {
    Matcher matcher =
        Pattern.compile("\r\n" + name + ": *([^\r]*)\r\n", Pattern.CASE_INSENSITIVE).matcher(head);
    return matcher.find() ? matcher.group(1) : "";
  }
}
