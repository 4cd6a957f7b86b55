package toystore.writer;

import org.sqlite.SQLiteException;

/// What an error of SQLite says about the disk.
enum DiskError {
  /// Not the disk's fault.
  NONE,
  /// Nothing can be written now: it is full, or a write failed. What was committed stays.
  CANNOT_WRITE,
  /// A sync failed. The kernel may have dropped what it could not write: unknown what the disk
  /// holds.
  SYNC_FAILED;

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
              SQLITE_READONLY ->
              CANNOT_WRITE;
          default -> NONE;
        };
      }
    }
    return NONE;
  }
}
