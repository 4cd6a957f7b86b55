package toystore.platform.storage;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/// Consecutive numbers, each with a text, in the table `number`.
final class Numbers implements Batches<Numbers.Batch> {
  private final Database database;
  private final WriterStatement insert;
  private long next;

  private Numbers(Database database) {
    this.database = database;
    this.insert = database.statement("INSERT INTO number VALUES (?, ?)");
  }

  /// Starts a writer.
  static SingleWriter<Batch> writer(Database database, int queueBound, Consumer<Throwable> fatal) {
    var writer =
        new SingleWriter<>("numbers", database, new Numbers(database), queueBound, 100, fatal);
    database.load(writer::start);
    return writer;
  }

  static CompletableFuture<Long> submit(SingleWriter<Batch> writer, String text) {
    return writer.submit(it -> it.next(text)).toCompletableFuture();
  }

  @Override
  public void load() throws SQLException {
    try (var statement = database.queryConnection().createStatement();
        var row = statement.executeQuery("SELECT coalesce(max(value) + 1, 0) FROM number")) {
      row.next();
      next = row.getLong(1);
    }
  }

  @Override
  public Batch begin() {
    return new Batch();
  }

  final class Batch implements UnitOfWork {
    private final List<String> texts = new ArrayList<>();

    long next(String text) {
      texts.add(text);
      return next + texts.size() - 1;
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
  }
}
