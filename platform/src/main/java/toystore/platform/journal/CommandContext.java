package toystore.platform.journal;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// What a command is decided with.
///
/// @param key of the request; null: it has none
/// @param by who makes the change and from where, such as `administrator, gRPC`; null: it is not
///   recorded
public record CommandContext(@Nullable RequestKey key, Instant now, @Nullable String by) {
  /// The key of a command that must have one.
  ///
  /// @throws IllegalStateException if it has none
  public RequestKey requiredKey() {
    if (key == null) {
      throw new IllegalStateException("the command must have an idempotency key");
    }
    return key;
  }

  /// This context of a command whose changes are recorded.
  public CommandContext madeBy(String who) {
    return new CommandContext(key, now, who);
  }
}
