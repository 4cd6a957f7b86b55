package toystore.torture.network;

import static toystore.common.RootLocale.format;

import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// One attempt of a client to send a request.
///
/// @param call time before the first byte was sent, in nanoseconds of the history's clock
/// @param ret time after the last byte was received, on the same clock
/// @param key attempts with the same key are one operation; empty: the store chose a key that the
///   client did not receive
/// @param own whether the client chose the key
/// @param answer the response; null: none, or an incomplete one
record Attempt(
    int client,
    long call,
    long ret,
    RecordedRequest request,
    String key,
    boolean own,
    @Nullable RecordedResponse answer) {
  private static final Set<Integer> POSSIBLE = Set.of(200, 409, 422, 503, 504);

  /// The meaning of a response.
  enum Outcome {
    SOLD,
    REFUSED,
    /// The response contains the stock.
    STOCK,
    /// The key was already used for a different request.
    KEY_CONFLICT,
    UNKNOWN,
    /// Certainly not executed.
    NOT_DONE;

    /// Whether this is the final response to the request, which all retries must get.
    boolean isDecided() {
      return this == SOLD || this == REFUSED || this == STOCK;
    }

    /// Whether a client stops retrying after this response.
    boolean isAnswer() {
      return this != UNKNOWN && this != NOT_DONE;
    }
  }

  Outcome outcome() {
    if (answer == null || answer.status() == 504) {
      return Outcome.UNKNOWN;
    }
    if (!POSSIBLE.contains(answer.status())) {
      throw new AssertionError(request + " was answered unexpectedly: " + answer);
    }
    return switch (answer.status()) {
      case 503 -> Outcome.NOT_DONE;
      case 422 -> Outcome.KEY_CONFLICT;
      case 409 -> Outcome.REFUSED;
      default -> request.isBuy() ? Outcome.SOLD : Outcome.STOCK;
    };
  }

  /// The response of an attempt that has one.
  RecordedResponse answered() {
    return Objects.requireNonNull(answer, "this attempt has no response");
  }

  /// The attempt as an event of the history checker (`tools/torture/porcupine/history.go`).
  Map<String, Object> toEvent() {
    var event = new TreeMap<String, Object>();
    event.put("op", request.kind().name().toLowerCase(Locale.ROOT));
    event.put("shelf", request.group().name());
    event.put("lines", request.lines());
    event.put("client", client);
    event.put("call", call);
    event.put("return", ret);
    event.put("key", key);
    event.put("own", own);
    event.put("replayed", answer != null && answer.replayed());
    event.putAll(
        switch (outcome()) {
          case SOLD -> Map.of("said", "sold", "number", answered().number());
          case REFUSED ->
              Map.of("said", "refused", "toy", answered().shortOf(), "left", answered().left());
          case STOCK -> Map.of("said", "has", "left", answered().quantity());
          case KEY_CONFLICT -> Map.of("said", "other");
          case UNKNOWN -> Map.of("said", "unknown");
          case NOT_DONE ->
              throw new IllegalStateException(
                  "an attempt that was not processed is not part of the history");
        });
    return event;
  }

  @Override
  public String toString() {
    return format(
        "%d…%d ms, client %d, key %s: %s: %s",
        call / 1_000_000, ret / 1_000_000, client, key, request, answer);
  }
}
