package toystore.torture.network;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

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
      throw new AssertionError(
          String.format(
              Locale.ROOT,
              "%s %s was answered with unexpected status %d: %s",
              request.target(),
              request.body(),
              answer.status(),
              answer.body()));
    }
    return switch (answer.status()) {
      case 503 -> Outcome.NOT_DONE;
      case 422 -> Outcome.KEY_CONFLICT;
      case 409 -> Outcome.REFUSED;
      default -> request instanceof RecordedRequest.Buy ? Outcome.SOLD : Outcome.STOCK;
    };
  }

  /// The response of an attempt that has one.
  RecordedResponse answered() {
    if (answer == null) {
      throw new IllegalStateException("this attempt has no response");
    }
    return answer;
  }

  /// The attempt in the format of the history checker (`tools/torture/porcupine/history.go`).
  String toJson() {
    ObjectNode json = JsonMapper.shared().createObjectNode();
    json.put("shelf", request.group().name()).put("client", client);
    json.put("call", call).put("return", ret).put("key", key).put("own", own);
    json.put("replayed", answer != null && answer.replayed());
    switch (request) {
      case RecordedRequest.Buy buy -> put(json.put("op", "buy"), buy.lines());
      case RecordedRequest.Query query ->
          put(json.put("op", "look"), List.of(new RecordedRequest.Line(query.product(), 0)));
      case RecordedRequest.Restock restock ->
          put(
              json.put("op", "restock"),
              List.of(new RecordedRequest.Line(restock.product(), restock.quantity())));
    }
    switch (outcome()) {
      case SOLD -> json.put("said", "sold").put("number", answered().number());
      case REFUSED ->
          json.put("said", "refused")
              .put("toy", answered().shortOf())
              .put("left", answered().left());
      case STOCK -> json.put("said", "has").put("left", answered().quantity());
      case KEY_CONFLICT -> json.put("said", "other");
      case UNKNOWN -> json.put("said", "unknown");
      case NOT_DONE ->
          throw new IllegalStateException(
              "an attempt that was not processed is not part of the history");
    }
    return json.toString();
  }

  static void put(ObjectNode json, List<RecordedRequest.Line> lines) {
    var array = json.putArray("lines");
    lines.forEach(it -> array.addObject().put("toy", it.product()).put("quantity", it.quantity()));
  }
}
