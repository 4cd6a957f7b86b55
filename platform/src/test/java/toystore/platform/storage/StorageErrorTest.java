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

  @Test
  void otherExceptionIsNoStorageError() {
    assertThat(StorageError.of(new IOException("elsewhere"))).isEqualTo(StorageError.NONE);
  }
}
