package toystore.platform.storage;

import org.sqlite.SQLiteException;

/// Classifies an SQLite error by what it means for the disk.
enum DiskError {
  /// Not caused by the disk.
  NONE,
  /// The disk is full or a write failed, so nothing can be written now. Committed data is not
  /// affected.
  CANNOT_WRITE,
  /// A file was moved, deleted or replaced while in use. What is committed now would not be found
  /// by the next start.
  MOVED,
  /// An fsync failed. The kernel may have discarded the data, so the content of the disk is
  /// unknown.
  SYNC_FAILED,
  /// The file is not a valid SQLite database.
  DAMAGED;

  /// Whether the process must end, because the content of the disk may differ from its state in
  /// memory.
  boolean isFatal() {
    return this == SYNC_FAILED || this == DAMAGED;
  }

  /// Whether commands are refused until a probe commit succeeds.
  boolean isTemporary() {
    return this == CANNOT_WRITE || this == MOVED;
  }

  static DiskError of(Throwable error) {
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      if (cause instanceof MovedFileException) {
        return MOVED;
      }
      if (cause instanceof SQLiteException sqlite) {
        return switch (sqlite.getResultCode()) {
          case SQLITE_IOERR_FSYNC, SQLITE_IOERR_DIR_FSYNC -> SYNC_FAILED;
          case SQLITE_FULL,
              SQLITE_IOERR,
              SQLITE_IOERR_WRITE,
              SQLITE_IOERR_TRUNCATE,
              SQLITE_IOERR_SHMSIZE,
              SQLITE_CANTOPEN,
              SQLITE_READONLY ->
              CANNOT_WRITE;
          case SQLITE_CORRUPT,
              SQLITE_CORRUPT_VTAB,
              SQLITE_CORRUPT_INDEX,
              SQLITE_CORRUPT_SEQUENCE,
              SQLITE_NOTADB ->
              DAMAGED;
          default -> NONE;
        };
      }
    }
    return NONE;
  }
}
