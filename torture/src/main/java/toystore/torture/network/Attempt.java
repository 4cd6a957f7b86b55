package toystore.torture.network;

import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// One request as its client saw it.
///
/// @param call nanoseconds on the clock of the history, before the first byte left
/// @param ret the same, after the last byte came
/// @param key two requests with one key are one; empty: the store made a key nobody was told
/// @param own whether the client chose the key
/// @param answer null: none came, or not the whole of it
record Attempt(
    int client, long call, long ret, Wish wish, String key, boolean own, @Nullable Answer answer) {
  private static final Set<Integer> POSSIBLE = Set.of(200, 409, 422, 503, 504);

  /// What an answer means.
  enum Said {
    SOLD,
    REFUSED,
    /// So many are in stock.
    HAS,
    /// The key was used for another request.
    OTHER,
    /// Nobody knows.
    UNKNOWN,
    /// Surely not done.
    NOT_DONE;

    /// Whether this is what the request itself was answered, and its repeats are.
    boolean isDecided() {
      return this == SOLD || this == REFUSED || this == HAS;
    }
  }

  Said said() {
    if (answer == null || answer.status() == 504) {
      return Said.UNKNOWN;
    }
    if (!POSSIBLE.contains(answer.status())) {
      throw new AssertionError(
          "%s %s was answered %d %s"
              .formatted(wish.target(), wish.body(), answer.status(), answer.body()));
    }
    return switch (answer.status()) {
      case 503 -> Said.NOT_DONE;
      case 422 -> Said.OTHER;
      case 409 -> Said.REFUSED;
      default -> wish instanceof Wish.Buy ? Said.SOLD : Said.HAS;
    };
  }

  /// The answer of a request that was answered.
  Answer answered() {
    if (answer == null) {
      throw new IllegalStateException("there is no answer");
    }
    return answer;
  }

  /// As the checker of histories reads it.
  String toJson() {
    Said said = said();
    String lines =
        switch (wish) {
          case Wish.Buy buy ->
              buy.lines().stream()
                  .map(it -> line(it.toy(), it.quantity()))
                  .collect(Collectors.joining(","));
          case Wish.Look look -> line(look.toy(), 0);
          case Wish.Restock restock -> line(restock.toy(), restock.quantity());
        };
    String op =
        switch (wish) {
          case Wish.Buy _ -> "buy";
          case Wish.Look _ -> "look";
          case Wish.Restock _ -> "restock";
        };
    String what =
        switch (said) {
          case SOLD -> ",\"said\":\"sold\",\"number\":" + answered().number();
          case REFUSED ->
              ",\"said\":\"refused\",\"toy\":\"%s\",\"left\":%d"
                  .formatted(answered().shortOf(), answered().left());
          case HAS -> ",\"said\":\"has\",\"left\":" + answered().quantity();
          case OTHER -> ",\"said\":\"other\"";
          case UNKNOWN -> ",\"said\":\"unknown\"";
          case NOT_DONE -> throw new IllegalStateException("it is no part of the history");
        };
    return "{\"op\":\"%s\",\"shelf\":\"%s\",\"client\":%d,\"call\":%d,\"return\":%d,\"key\":\"%s\",\"own\":%b,\"lines\":[%s]%s,\"replayed\":%b}"
        .formatted(
            op,
            wish.shelf().name(),
            client,
            call,
            ret,
            key,
            own,
            lines,
            what,
            answer != null && answer.replayed());
  }

  static String line(String toy, int quantity) {
    return "{\"toy\":\"%s\",\"quantity\":%d}".formatted(toy, quantity);
  }
}
