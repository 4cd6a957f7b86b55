package toystore.lab.load;

import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.net.URI;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.sqlite.SQLiteConfig;
import toystore.clients.load.CallSource;
import toystore.clients.load.LoadConnection;

/// Inserts a row into an SQLite database for each request, whatever it says, and waits for its
/// commit. A thread for all connections of a database commits what has queued up as a batch, with
/// one sync, as the writers of the services do. It ends with the program. One thread.
final class CommitConnection implements LoadConnection {
  private static final int MAX_BATCH = 200;
  private static final int MAX_QUEUE = 1_024;
  private static final int ROW_BYTES = 64;
  private static final long DEADLINE_SECONDS = 30;

  // the rows that wait for their commit, by database; guarded by the class
  private static final Map<URI, BlockingQueue<CompletableFuture<Response>>> QUEUES =
      new HashMap<>();

  private final BlockingQueue<CompletableFuture<Response>> queue;
  private CompletableFuture<Response> last = new CompletableFuture<>();

  CommitConnection(URI url) throws IOException {
    try {
      queue = queue(url);
    } catch (SQLException e) {
      throw new IOException("cannot open the database at " + url, e);
    }
  }

  private static synchronized BlockingQueue<CompletableFuture<Response>> queue(URI url)
      throws SQLException {
    var opened = QUEUES.get(url);
    if (opened != null) {
      return opened;
    }
    var config = new SQLiteConfig();
    config.setJournalMode(SQLiteConfig.JournalMode.WAL);
    config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
    config.setGetGeneratedKeys(false);
    Connection database = config.createConnection("jdbc:sqlite:" + url.getPath());
    try (var statement = database.createStatement()) {
      statement.execute(
          "create table if not exists record (id integer primary key, content blob not null)");
    }
    database.setAutoCommit(false);
    var insert = database.prepareStatement("insert into record (content) values (?)");
    var queue = new ArrayBlockingQueue<CompletableFuture<Response>>(MAX_QUEUE);
    Thread.ofPlatform().daemon().name("writer").start(() -> write(database, insert, queue));
    QUEUES.put(url, queue);
    return queue;
  }

  private static void write(
      Connection database,
      PreparedStatement insert,
      BlockingQueue<CompletableFuture<Response>> queue) {
    var batch = new ArrayList<CompletableFuture<Response>>();
    while (true) {
      try {
        batch.add(queue.take());
        queue.drainTo(batch, MAX_BATCH - 1);
        for (int i = 0; i < batch.size(); i++) {
          insert.setBytes(1, new byte[ROW_BYTES]);
          insert.executeUpdate();
        }
        database.commit();
        batch.forEach(it -> it.complete(SyncConnection.ON_DISK));
      } catch (SQLException | InterruptedException e) {
        batch.forEach(it -> it.completeExceptionally(e)); // each later batch tries again
      }
      batch.clear();
    }
  }

  @Override
  public void write(CallSource.Call call) throws IOException {
    last = new CompletableFuture<>();
    if (!queue.offer(last)) {
      throw new IOException(format("more than %d rows wait for their commit", MAX_QUEUE));
    }
  }

  @Override
  public Response read() throws IOException {
    try {
      return last.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException | InterruptedException e) {
      throw new IOException("the row was not committed: " + e, e);
    }
  }

  @Override
  public void close() {}
}
