package toystore.platform.storage;

import java.sql.SQLException;
import java.util.Set;
import java.util.regex.Pattern;
import org.springframework.core.NestedExceptionUtils;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/// Classifies an error of a database by what it means for the service.
enum StorageError {
  /// Not caused by the database.
  NONE,
  /// A row with this key exists.
  DUPLICATE_KEY,
  /// The disk is full, a write failed, a file was moved or the server refuses to write. Committed
  /// data is not affected.
  CANNOT_WRITE,
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

  /// States in which a new connection may help: "PostgreSQL Error Codes" in PostgreSQL's
  /// documentation. 08: the connection; 25006: read-only; 28: the login; 3D: no such database;
  /// 53300: too many connections; 55000: the database accepts none; 57P0x: the server stops, starts
  /// or ended the session.
  private static final Pattern DISCONNECTED_STATES =
      Pattern.compile("08...|25006|28...|3D...|53300|55000|57P0.");

  /// States in which nothing can be written by this session now. 25P02: the transaction failed
  /// before; 40: deadlock; 42501: no permission; 53: disk or memory full; 55P03, 57014: time-out;
  /// 58: I/O error.
  private static final Pattern CANNOT_WRITE_STATES =
      Pattern.compile("25P02|40...|42501|53...|55P03|57014|58...");

  static final String IO_ERROR = "58030";
  private static final String UNIQUE_VIOLATION = "23505";
  private static final Set<String> CORRUPTED = Set.of("XX001", "XX002");

  /// Whether the process must end, because its state in memory may differ from the database.
  boolean isFatal() {
    return this == SYNC_FAILED || this == DAMAGED || this == TAKEN_OVER;
  }

  /// Whether commands are refused until a probe commit succeeds.
  boolean isTemporary() {
    return this == CANNOT_WRITE || this == DISCONNECTED;
  }

  /// Why something failed, in one line.
  static String reason(Exception failure) {
    return String.valueOf(NestedExceptionUtils.getMostSpecificCause(failure).getMessage())
        .strip()
        .replaceAll("\\R\\s*", "; ");
  }

  static StorageError of(Throwable error) {
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      switch (cause) {
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

  private static StorageError ofState(String state) {
    if (DISCONNECTED_STATES.matcher(state).matches()) {
      return DISCONNECTED;
    }
    if (CANNOT_WRITE_STATES.matcher(state).matches()) {
      return CANNOT_WRITE;
    }
    if (state.equals(UNIQUE_VIOLATION)) {
      return DUPLICATE_KEY;
    }
    return CORRUPTED.contains(state) ? DAMAGED : NONE;
  }
}
