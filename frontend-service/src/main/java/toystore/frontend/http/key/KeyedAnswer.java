package toystore.frontend.http.key;

import java.util.function.Function;

/// The answer of a service to a command with an idempotency key. Controllers return it, so that the
/// response says whether it is the stored one.
///
/// @param replayed whether this is the stored answer to an earlier request with the same key
public record KeyedAnswer<T>(T view, boolean replayed) {
  public <R> KeyedAnswer<R> map(Function<T, R> mapper) {
    return new KeyedAnswer<>(mapper.apply(view), replayed);
  }
}
