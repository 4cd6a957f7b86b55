package toystore.torture.network;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// One request as its client saw it.
///
/// @param call nanoseconds on the clock of the history, before the first byte left
/// @param ret the same, after the last byte came
/// @param key two requests with one key are one; empty: the store made a key nobody was told
/// @param own whether the client chose the key
/// @param answer null: none came, or not the whole of it
record Attempt(
    int client,
    long call,
    long ret,
    RecordedRequest request,
    String key,
    boolean own,
    @Nullable RecordedResponse answer) {
  private static final Set<Integer> POSSIBLE = Set.of(200, 409, 422, 503, 504);

  /// What an answer means.
  enum Outcome {
    SOLD,
    REFUSED,
    /// So many are in stock.
    STOCK,
    /// The key was used for another request.
    KEY_CONFLICT,
    UNKNOWN,
    /// Surely not done.
    NOT_DONE;

    /// Whether this is what the request itself was answered, and its repeats are.
    boolean isDecided() {
      return this == SOLD || this == REFUSED || this == STOCK;
    }

    /// Whether this is an answer, be it to another request with the key.
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
          "%s %s was answered with unexpected status %d: %s"
              .formatted(request.target(), request.body(), answer.status(), answer.body()));
    }
    return switch (answer.status()) {
      case 503 -> Outcome.NOT_DONE;
      case 422 -> Outcome.KEY_CONFLICT;
      case 409 -> Outcome.REFUSED;
      default -> request instanceof RecordedRequest.Buy ? Outcome.SOLD : Outcome.STOCK;
    };
  }

  /// The answer of a request that was answered.
  RecordedResponse answered() {
    if (answer == null) {
      throw new IllegalStateException("this attempt has no response");
    }
    return answer;
  }

  /// As the checker of histories reads it (`torture/porcupine/history.go`).
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
