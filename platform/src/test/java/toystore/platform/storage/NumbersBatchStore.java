package toystore.platform.storage;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/// A minimal batch store. It assigns consecutive numbers and writes each with a text.
final class NumbersBatchStore extends DatabaseBatchStore<NumbersBatchStore.Numbers> {
  /// Decides the commands of a batch.
  interface Numbers {
    long next(String text);
  }

  private final WriterStatement insert;
  private long next;

  NumbersBatchStore(Database database) {
    super(database);
    this.insert = database.statement("INSERT INTO number VALUES (?, ?)");
  }

  @Override
  protected void load(Connection writing) throws SQLException {
    try (var statement = writing.createStatement();
        var row = statement.executeQuery("SELECT coalesce(max(value) + 1, 0) FROM number")) {
      row.next();
      next = row.getLong(1);
    }
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
          insert.set(next + i).set(texts.get(i)).add();
        }
      }

      @Override
      public void publish() {
        next += texts.size();
      }
    };
  }
}
