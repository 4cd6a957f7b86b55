package toystore.platform.storage;

import java.sql.SQLException;
import java.util.Set;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/// Classifies an error of a database by what it means for the service.
enum StorageError {
  /// Not caused by the database.
  NONE,
  /// A row with this key exists.
  DUPLICATE_KEY,
  /// The disk is full or a write failed, so nothing can be written now. Committed data is not
  /// affected.
  CANNOT_WRITE,
  /// A file was moved, deleted or replaced while in use. What is committed now would not be found
  /// by the next start.
  MOVED,
  /// The connection to the server is lost, or the server is no longer the primary. A new connection
  /// may help.
  DISCONNECTED,
  /// Another process writes now, or may: this one must end.
  TAKEN_OVER,
  /// An fsync failed. The kernel may have discarded the data, so the content of the disk is
  /// unknown.
  SYNC_FAILED,
  /// The file is not a valid SQLite database, or PostgreSQL found damage.
  DAMAGED;

  private static final String READ_ONLY = "25006";
  private static final String UNIQUE_VIOLATION = "23505";

  /// Insufficient resources: disk full, out of memory, configuration limit.
  private static final String RESOURCES = "53";

  private static final String TOO_MANY_CONNECTIONS = "53300";
  private static final Set<String> CORRUPTED = Set.of("XX001", "XX002");

  /// Whether the process must end, because its state in memory may differ from the database.
  boolean isFatal() {
    return this == SYNC_FAILED || this == DAMAGED || this == TAKEN_OVER;
  }

  /// Whether commands are refused until a probe commit succeeds.
  boolean isTemporary() {
    return this == CANNOT_WRITE || this == MOVED || this == DISCONNECTED;
  }

  static StorageError of(Throwable error) {
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      switch (cause) {
        case MovedFileException _ -> {
          return MOVED;
        }
        case TakenOverException _ -> {
          return TAKEN_OVER;
        }
        case SQLiteException sqlite -> {
          return of(sqlite.getResultCode());
        }
        case SQLException sql when sql.getSQLState() != null -> {
          return ofState(sql.getSQLState());
        }
        default -> {}
      }
    }
    return NONE;
  }

  private static StorageError of(SQLiteErrorCode code) {
    return switch (code) {
      case SQLITE_CONSTRAINT_PRIMARYKEY -> DUPLICATE_KEY;
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

  /// @param state an SQLSTATE: "PostgreSQL Error Codes" in PostgreSQL's documentation. 08: the
  ///   connection; 57P0x: the server stops, starts or ended the session
  private static StorageError ofState(String state) {
    if (state.startsWith("08")
        || state.startsWith("57P0")
        || state.equals(READ_ONLY)
        || state.equals(TOO_MANY_CONNECTIONS)) {
      return DISCONNECTED;
    }
    if (state.startsWith(RESOURCES) || state.startsWith("58")) { // 58: I/O errors
      return CANNOT_WRITE;
    }
    return state.equals(UNIQUE_VIOLATION)
        ? DUPLICATE_KEY
        : CORRUPTED.contains(state) ? DAMAGED : NONE;
  }
}
