package toystore.platform.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

class StorageErrorTest {
  @ParameterizedTest
  @CsvSource({
    "SQLITE_IOERR_FSYNC, SYNC_FAILED",
    "SQLITE_IOERR_DIR_FSYNC, SYNC_FAILED",
    "SQLITE_FULL, CANNOT_WRITE",
    "SQLITE_IOERR, CANNOT_WRITE",
    "SQLITE_IOERR_WRITE, CANNOT_WRITE",
    "SQLITE_READONLY, CANNOT_WRITE",
    "SQLITE_CONSTRAINT, NONE",
    "SQLITE_BUSY, NONE"
  })
  void sqliteErrorIsClassifiedAtAnyCauseDepth(SQLiteErrorCode code, StorageError meaning) {
    var error = new SQLiteException("failed", code);
    assertThat(StorageError.of(error)).isEqualTo(meaning);
    assertThat(StorageError.of(new IllegalStateException(new SQLException(error))))
        .isEqualTo(meaning);
  }

  @ParameterizedTest
  @CsvSource({
    "08006, DISCONNECTED",
    "25006, DISCONNECTED",
    "28000, DISCONNECTED",
    "28P01, DISCONNECTED",
    "3D000, DISCONNECTED",
    "53300, DISCONNECTED",
    "55000, DISCONNECTED",
    "57P01, DISCONNECTED",
    "57P05, DISCONNECTED",
    "42501, CANNOT_WRITE",
    "53100, CANNOT_WRITE",
    "57014, CANNOT_WRITE",
    "58030, CANNOT_WRITE",
    "23505, DUPLICATE_KEY",
    "XX001, DAMAGED",
    "22003, NONE",
    "42601, NONE"
  })
  void stateOfPostgresIsClassified(String state, StorageError meaning) {
    assertThat(StorageError.of(new SQLException("refused", state))).isEqualTo(meaning);
  }

  @Test
  void otherExceptionIsNoStorageError() {
    assertThat(StorageError.of(new IOException("elsewhere"))).isEqualTo(StorageError.NONE);
  }
}
