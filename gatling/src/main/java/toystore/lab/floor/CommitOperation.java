package toystore.lab.floor;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import org.sqlite.SQLiteConfig;

/// Inserts a row into an SQLite database and waits for its commit. One thread commits what has
/// queued up as a batch, with one sync, as the writers of the services do.
final class CommitOperation implements Operation {
  private static final int MAX_BATCH = 200;

  private final BlockingQueue<CompletableFuture<Void>> queue = new ArrayBlockingQueue<>(1_024);
  private final Connection connection;
  private final Thread writer = Thread.ofPlatform().daemon().name("writer").unstarted(this::write);

  CommitOperation(Path path) throws SQLException {
    var config = new SQLiteConfig();
    config.setJournalMode(SQLiteConfig.JournalMode.WAL);
    config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
    config.setGetGeneratedKeys(false);
    connection = config.createConnection("jdbc:sqlite:" + path);
    try (var statement = connection.createStatement()) {
      statement.execute("create table record (id integer primary key, content blob not null)");
    }
    connection.setAutoCommit(false);
    writer.start();
  }

  @Override
  public void run() throws InterruptedException {
    var committed = new CompletableFuture<Void>();
    queue.put(committed);
    committed.join();
  }

  private void write() {
    try (var insert = connection.prepareStatement("insert into record (content) values (?)")) {
      while (true) {
        commitBatch(insert);
      }
    } catch (InterruptedException end) {
      // closed
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private void commitBatch(PreparedStatement insert) throws InterruptedException, SQLException {
    var batch = new ArrayList<CompletableFuture<Void>>();
    batch.add(queue.take());
    queue.drainTo(batch, MAX_BATCH - 1);
    try {
      for (int i = 0; i < batch.size(); i++) {
        insert.setBytes(1, new byte[64]);
        insert.executeUpdate();
      }
      connection.commit();
      batch.forEach(it -> it.complete(null));
    } catch (SQLException e) {
      batch.forEach(it -> it.completeExceptionally(e));
      throw e;
    }
  }

  @Override
  public void close() throws InterruptedException, SQLException {
    writer.interrupt();
    writer.join();
    connection.close();
  }
}
