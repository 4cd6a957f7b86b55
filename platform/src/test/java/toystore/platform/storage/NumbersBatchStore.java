package toystore.platform.storage;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/// A minimal batch store. It assigns consecutive numbers and writes each with a text.
final class NumbersBatchStore extends SqliteBatchStore<NumbersBatchStore.Numbers> {
  /// Decides the commands of a batch.
  interface Numbers {
    long next(String text);
  }

  private final PreparedStatement insert;
  private long next;

  NumbersBatchStore(SqliteFile file) throws SQLException {
    super(file);
    Connection writing = file.writing();
    try (var statement = writing.createStatement();
        var row = statement.executeQuery("SELECT coalesce(max(value) + 1, 0) FROM number")) {
      this.next = row.getLong(1);
    }
    writing.rollback();
    this.insert = writing.prepareStatement("INSERT INTO number VALUES (?, ?)");
  }

  @Override
  public Batch<Numbers> open() {
    return new Transaction() {
      private final List<String> texts = new ArrayList<>();

      @Override
      protected Numbers decider() {
        return text -> {
          texts.add(text);
          return next + texts.size() - 1;
        };
      }

      @Override
      public void write() throws SQLException {
        for (int i = 0; i < texts.size(); i++) {
          insert.setLong(1, next + i);
          insert.setString(2, texts.get(i));
          insert.executeUpdate();
        }
      }

      @Override
      public void publish() {
        next += texts.size();
      }
    };
  }
}
