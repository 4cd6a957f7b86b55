package toystore.torture.crash;

/// A point at which [CrashPoints] can kill a service.
public enum CrashPoint {
  /// Before the commit of a batch.
  BEFORE_COMMIT,
  /// The batch is durable but not yet visible to readers.
  BEFORE_PUBLISHING,
  /// The batch is visible to readers, and a caller has no response yet. A service without a batch
  /// has just received the response, or is about to pass it on.
  BEFORE_ANSWER
}
