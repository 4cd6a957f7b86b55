package toystore.platform.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.clients.Conditions.await;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The server ends the session of a writer whose commit waits for a standby, and then refuses what
/// would tell whether the commit was done. It was: its row is on the disk.
class CommitInDoubtTest {
  private static final Duration WAIT = Duration.ofSeconds(60);

  private final CompletableFuture<Throwable> fatal = new CompletableFuture<>();
  private int texts; // submitted

  @BeforeEach
  void createDatabase() throws SQLException, IOException {
    ShopDatabase.create();
  }

  @AfterEach
  void releaseCommits() throws SQLException {
    ShopDatabase.releaseCommits();
  }

  /// Submits commands until the commit of one waits for the standby: the server needs a moment.
  private CompletableFuture<Long> submitHeld(SingleWriter<Numbers.Batch> writer)
      throws SQLException {
    ShopDatabase.holdCommits();
    while (true) {
      CompletableFuture<Long> answer = Numbers.submit(writer, "text " + texts);
      texts++;
      await(() -> answer.isDone() || ShopDatabase.heldCommit() != 0);
      if (!answer.isDone()) {
        return answer;
      }
    }
  }

  private void assertTexts() throws SQLException {
    assertThat(ShopDatabase.texts())
        .isEqualTo(IntStream.range(0, texts).mapToObj(it -> "text " + it).toList());
  }

  private static void awaitReason(PostgresSchema schema, String words) {
    await(() -> String.valueOf(schema.notReady()).contains(words));
  }

  @ParameterizedTest
  @EnumSource
  @Tag("long")
  void nothingIsAnsweredOrDecidedBeforeItIsResolved(ServerRefusal refusal) throws Exception {
    try (PostgresSchema schema = PostgresSchema.of(ShopDatabase.server(), "numbers")) {
      assertThat(schema.tryBecomeWriter()).isTrue();
      try (var writer = ShopDatabase.writer(schema, fatal)) {
        CompletableFuture<Long> inDoubt = submitHeld(writer);
        refusal.imposeAndEndSessions();
        CompletableFuture<Long> waiting = Numbers.submit(writer, "text " + texts);
        texts++;
        awaitReason(schema, refusal.words);
        ShopDatabase.releaseCommits();
        assertThat(inDoubt).isNotDone();
        assertThat(waiting).isNotDone();

        refusal.lift();
        assertThat(inDoubt).succeedsWithin(WAIT).isEqualTo(texts - 2L);
        assertThat(waiting).succeedsWithin(WAIT).isEqualTo(texts - 1L);
      }
    }
    assertThat(fatal).isNotDone();
    assertTexts();
  }

  /// Either process may be the next writer. If it is the standby, the other one must end and answer
  /// nothing.
  @ParameterizedTest
  @EnumSource
  @Tag("long")
  void standbyContinuesAfterTheCommitInDoubt(ServerRefusal refusal) throws Exception {
    try (PostgresSchema schema = PostgresSchema.of(ShopDatabase.server(), "numbers");
        PostgresSchema standby = PostgresSchema.of(ShopDatabase.server(), "numbers")) {
      assertThat(schema.tryBecomeWriter()).isTrue();
      assertThat(standby.tryBecomeWriter()).isFalse();
      assertThat(standby.notReady()).isEqualTo("standby");
      var writer = ShopDatabase.writer(schema, fatal);
      CompletableFuture<Long> inDoubt = submitHeld(writer);
      refusal.imposeAndEndSessions();
      ShopDatabase.releaseCommits();
      await(() ->
          !standby.tryBecomeWriter() && String.valueOf(standby.notReady()).contains(refusal.words));
      assertThat(inDoubt).isNotDone();

      refusal.lift();
      await(() -> standby.tryBecomeWriter() || inDoubt.isDone());
      if (inDoubt.isDone()) {
        assertThat(inDoubt.join()).isEqualTo(texts - 1);
        assertThat(Numbers.submit(writer, "text " + texts)).succeedsWithin(WAIT);
        writer.close();
        assertThat(fatal).isNotDone();
      } else {
        assertThat(fatal).succeedsWithin(WAIT).isInstanceOf(TakenOverException.class);
        assertThat(inDoubt).isNotDone();
        try (var successor = ShopDatabase.writer(standby, new CompletableFuture<>())) {
          assertThat(Numbers.submit(successor, "text " + texts)).succeedsWithin(WAIT);
        }
      }
      texts++;
      assertTexts();
    }
  }

  @Test
  void processEndsIfItCannotBeResolved() throws Exception {
    var patience = new PostgresSchema.Patience(Duration.ofSeconds(1), Duration.ofSeconds(60));
    try (PostgresSchema schema =
        new PostgresSchema(ShopDatabase.server(), "numbers", null, patience)) {
      assertThat(schema.tryBecomeWriter()).isTrue();
      var writer = ShopDatabase.writer(schema, fatal);
      CompletableFuture<Long> inDoubt = submitHeld(writer);
      ServerRefusal.NO_LOGIN.imposeAndEndSessions();
      CompletableFuture<Long> waiting = Numbers.submit(writer, "b");
      assertThat(fatal)
          .succeedsWithin(WAIT)
          .isInstanceOf(TakenOverException.class)
          .asString()
          .contains("unknown whether commit", "not permitted to log in");
      assertThat(inDoubt).isNotDone();
      assertThat(waiting).isNotDone();
    }
    assertTexts();
  }

  /// The server commits, warns that no standby may have the commit, and goes on.
  @Test
  void commitWhoseWaitIsCancelledIsAnsweredWhenAStandbyHasIt() throws Exception {
    try (PostgresSchema schema = PostgresSchema.of(ShopDatabase.server(), "numbers")) {
      assertThat(schema.tryBecomeWriter()).isTrue();
      try (var writer = ShopDatabase.writer(schema, fatal)) {
        CompletableFuture<Long> inDoubt = submitHeld(writer);
        int session = ShopDatabase.heldCommit();
        ShopDatabase.administer("postgres", "SELECT pg_cancel_backend(" + session + ")");
        await(() -> ShopDatabase.heldCommit() != session);
        assertThat(inDoubt).isNotDone();
        ShopDatabase.releaseCommits();
        assertThat(inDoubt).succeedsWithin(WAIT).isEqualTo(texts - 1L);
      }
    }
    assertThat(fatal).isNotDone();
    assertTexts();
  }
}
