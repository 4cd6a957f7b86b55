package toystore.platform.journal;

import java.util.Locale;
import java.util.function.Function;
import toystore.platform.error.ErrorReason;

/// The answer to a [KeyedCommand].
///
/// @param <T> what the command made or changed
public sealed interface Answer<T> {
  /// The command was carried out.
  ///
  /// @param replayed whether this is the stored answer of a known key
  record Done<T>(T value, boolean replayed) implements Answer<T> {
    public Done(T value) {
      this(value, false);
    }
  }

  /// The command was refused and changed nothing.
  ///
  /// @param replayed whether this is the stored answer of a known key
  record Refusal<T>(ErrorReason reason, String message, boolean replayed) implements Answer<T> {
    public Refusal(ErrorReason reason, String message) {
      this(reason, message, false);
    }

    /// @param format of the message, see [String#format]
    public static <T> Refusal<T> because(ErrorReason reason, String format, Object... values) {
      return new Refusal<>(reason, String.format(Locale.ROOT, format, values));
    }
  }

  /// The command was not decided, for a reason that all services have. This is never stored.
  record NotDecided<T>(Cause cause) implements Answer<T> {}

  /// Why a command was not decided.
  enum Cause {
    /// Its deadline passed, or its caller cancelled.
    TOO_LATE(ErrorReason.TOO_LATE, "deadline exceeded; the request was not processed"),
    KEY_REUSED(ErrorReason.KEY_REUSED, "Idempotency-Key was already used with a different request"),
    /// A stored row that the decision needs is damaged. It is logged.
    DAMAGED(ErrorReason.INTERNAL_ERROR, "internal error");

    private final ErrorReason reason;
    private final String message;

    Cause(ErrorReason reason, String message) {
      this.reason = reason;
      this.message = message;
    }

    public ErrorReason reason() {
      return reason;
    }

    public String message() {
      return message;
    }
  }

  /// This answer, with another value if the command was carried out.
  default <R> Answer<R> map(Function<? super T, R> conversion) {
    return switch (this) {
      case Done<T>(T value, boolean replayed) -> new Done<>(conversion.apply(value), replayed);
      case Refusal<T>(ErrorReason reason, String message, boolean replayed) ->
          new Refusal<>(reason, message, replayed);
      case NotDecided<T>(Cause cause) -> new NotDecided<>(cause);
    };
  }

  /// This answer, as a repeat gets it.
  default Answer<T> again() {
    return switch (this) {
      case Done<T>(T value, _) -> new Done<>(value, true);
      case Refusal<T>(ErrorReason reason, String message, _) ->
          new Refusal<>(reason, message, true);
      case NotDecided<T> notDecided -> notDecided;
    };
  }
}
