package toystore.platform.storage;

/// Sees what a [SingleWriter] does. Must neither block nor throw.
public interface WriterListener {
  /// Looks away.
  WriterListener NONE = new WriterListener() {};

  /// Why a command was not even queued.
  enum Refusal {
    QUEUE_FULL,
    DISK,
    STOPPING
  }

  /// A command is on disk and about to be answered. The writer's thread.
  default void answered(CommandTimings steps) {}

  /// A batch is on disk. The writer's thread.
  default void committed(CommandTimings.Commit commit) {}

  /// A command was refused at once. The thread that submitted it.
  default void refused(Refusal why) {}

  /// A batch was not committed, and every caller told so. The writer's thread.
  default void dropped(int size) {}
}
