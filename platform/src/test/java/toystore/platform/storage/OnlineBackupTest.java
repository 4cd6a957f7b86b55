package toystore.platform.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OnlineBackupTest {
  @TempDir Path folder;

  /// What another connection has committed is copied, also from the log; what it has not is
  /// missing.
  @Test
  void copyOfUsedDatabaseContainsAllCommits() throws Exception {
    Path database = folder.resolve("used.db");
    try (Connection writer = SqliteFile.dataSource(database, false).getConnection();
        Statement statement = writer.createStatement()) {
      statement.executeUpdate("CREATE TABLE sale (number INTEGER)");
      statement.executeUpdate("INSERT INTO sale VALUES (0), (1)");
      writer.setAutoCommit(false);
      statement.executeUpdate("INSERT INTO sale VALUES (2)");
      assertThat(sales(written(database))).isEqualTo(2);
      writer.commit();
      assertThat(sales(written(database))).isEqualTo(3);
    }
    assertThat(folder).isDirectoryNotContaining("glob:**/backup-*");
  }

  @Test
  void missingDatabaseIsError() {
    assertThatThrownBy(() -> written(folder.resolve("none.db"))).isInstanceOf(SQLException.class);
    assertThat(folder).isEmptyDirectory();
  }

  private Path written(Path database) throws IOException, SQLException {
    var bytes = new ByteArrayOutputStream();
    OnlineBackup.write(database, bytes);
    return Files.write(folder.resolve("copy.db"), bytes.toByteArray());
  }

  private static long sales(Path copy) throws SQLException {
    try (var connection = DriverManager.getConnection("jdbc:sqlite:" + copy);
        var count = connection.createStatement().executeQuery("SELECT count(*) FROM sale")) {
      return count.getLong(1);
    }
  }
}
