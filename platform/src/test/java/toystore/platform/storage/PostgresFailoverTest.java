package toystore.platform.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.clients.Conditions.await;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import toystore.testkit.PostgresPair;

/// The primary is killed while callers wait for commits, and its standby is promoted.
class PostgresFailoverTest {
  private static final int CALLERS = 8;

  @TempDir Path folder;

  /// The answers by number.
  private final Map<Long, String> answered = new ConcurrentSkipListMap<>();

  private final AtomicBoolean stop = new AtomicBoolean();
  private final CompletableFuture<Throwable> fatal = new CompletableFuture<>();

  @Test
  void writerContinuesOnThePromotedStandbyAndEachCallIsDoneOnce() throws Exception {
    try (var servers = new PostgresPair(folder)) {
      var server = new PostgresServer(servers.database("numbers"), "postgres", "");
      try (PostgresSchema schema = PostgresSchema.of(server, "numbers")) {
        assertThat(schema.tryBecomeWriter()).isTrue();
        try (var writer = Numbers.writer(schema, 100, fatal::complete)) {
          CompletableFuture<?>[] callers =
              IntStream.range(0, CALLERS)
                  .mapToObj(it ->
                      CompletableFuture.runAsync(
                          () -> call(writer, it), Thread::startVirtualThread))
                  .toArray(CompletableFuture[]::new);
          awaitAnswers(200, callers);
          servers.killPrimary();
          servers.promote();
          awaitAnswers(answered.size() + 200, callers);
          stop.set(true);
          CompletableFuture.allOf(callers).join();
        }
        assertThat(fatal).isNotDone();
        assertThat(texts(server)).containsExactlyElementsOf(answered.values());
        assertThat(answered.keySet()).last().isEqualTo(answered.size() - 1L);
      }
    }
  }

  private void call(SingleWriter<Numbers.Batch> writer, int caller) {
    for (int call = 0; !stop.get(); call++) {
      String text = "caller " + caller + " call " + call;
      long number = writer.submit(it -> it.next(text)).toCompletableFuture().join();
      assertThat(answered.put(number, text)).as("another answer with the number").isNull();
    }
  }

  /// Fails if a caller or the writer does.
  private void awaitAnswers(int count, CompletableFuture<?>... callers) {
    await(() -> {
      assertThat(fatal.getNow(null)).as("the writer's fatal error").isNull();
      for (CompletableFuture<?> caller : callers) {
        caller.getNow(null);
      }
      return answered.size() > count;
    });
  }

  private static List<String> texts(PostgresServer server) throws SQLException {
    try (Connection connection = server.connect("numbers");
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT text FROM number ORDER BY value")) {
      var texts = new ArrayList<String>();
      while (row.next()) {
        texts.add(row.getString(1));
      }
      return texts;
    }
  }
}
