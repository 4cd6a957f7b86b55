package toystore.platform.storage;

/// Receives the events of a [SingleWriter]. Must neither block nor throw.
public interface WriterListener {
  WriterListener NONE = new WriterListener() {};

  /// Why a command was refused before it was queued.
  enum QueueRefusal {
    QUEUE_FULL,
    DISK,
    STOPPING
  }

  /// A command is on disk and about to be answered. Called on the writer's thread.
  default void onAnswered(CommandTimings timings) {}

  /// A batch is on disk. Called on the writer's thread.
  default void onCommitted(CommandTimings.Commit commit) {}

  /// A command was refused immediately. Called on the submitting thread.
  default void onRefused(QueueRefusal reason) {}

  /// A batch was rolled back and its callers were notified. Called on the writer's thread.
  default void rolledBack(int size) {}
}
