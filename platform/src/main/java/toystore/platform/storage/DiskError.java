package toystore.platform.storage;

import org.sqlite.SQLiteException;

/// What an error of SQLite says about the disk.
enum DiskError {
  /// Not the disk's fault.
  NONE,
  /// Nothing can be written now: it is full, or a write failed. What was committed stays.
  CANNOT_WRITE,
  /// A sync failed. The kernel may have dropped what it could not write: unknown what the disk
  /// holds.
  SYNC_FAILED,
  /// What was read is no database of SQLite's making.
  DAMAGED;

  /// Whether the process must end: what it would do next rests on what the disk may not hold.
  boolean isFatal() {
    return this == SYNC_FAILED || this == DAMAGED;
  }

  static DiskError of(Throwable error) {
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
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
