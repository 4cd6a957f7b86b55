package toystore.exchange.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import toystore.exchange.domain.AccountKey;
import toystore.exchange.domain.ExchangeCommand;
import toystore.exchange.domain.ExchangeUnitOfWork;
import toystore.exchange.domain.OpenedOrder;
import toystore.exchange.domain.OpenedOrder.OrderWithTrades;
import toystore.exchange.engine.Side;
import toystore.platform.journal.Answer;
import toystore.platform.journal.RequestKey;
import toystore.platform.journal.Submitted;
import toystore.platform.service.AuditCheckResult;
import toystore.platform.storage.CommandTimings;
import toystore.platform.storage.Database;
import toystore.platform.storage.NotExecutedException;
import toystore.platform.storage.RowReadException;
import toystore.platform.storage.Transactions;
import toystore.platform.storage.WriterListener;
import toystore.testkit.TestDatabase.Engine;

/// The batch of an order that trades fails, or its process ends, at each point. Afterwards, all of
/// the batch or none of it remains, and a repeat with the key gives one order.
@ParameterizedClass
@MethodSource("toystore.testkit.TestDatabase#engines")
@Tag("engines")
@SuppressWarnings("NullAway.Init") // set before each test
class ExchangeCrashTest {
  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.ofEpochSecond(1_700_000_000));
  private static final AccountKey BUYER = new AccountKey.Numbered(1, "buyer:1");
  private static final AccountKey SELLER = new AccountKey.Xml("7");
  private static final Submitted<ExchangeUnitOfWork, OpenedOrder> ORDER =
      new Submitted<>(
          new ExchangeCommand.PlaceOrder(BUYER, "SYM", Side.BUY, 30_000, 20_000),
          new RequestKey("s", "k", true),
          null,
          () -> false);

  @Parameter Engine engine;
  @TempDir Path folder;
  private volatile @Nullable Point planned;
  private final CompletableFuture<Void> reached = new CompletableFuture<>();

  enum Point {
    FAILS_BEFORE_WRITE,
    COMMIT_FAILS,
    DIES_BEFORE_WRITE,
    DIES_BEFORE_COMMIT,
    DIES_BEFORE_PUBLISHING,
    DIES_BEFORE_ANSWER;

    boolean isCommitted() {
      return this == DIES_BEFORE_PUBLISHING || this == DIES_BEFORE_ANSWER;
    }
  }

  /// Ends the writer's thread, like a kill of the process.
  private static final class WriterKilled extends Error {
    private static final long serialVersionUID = 1L;
  }

  @ParameterizedTest
  @EnumSource(names = {"FAILS_BEFORE_WRITE", "COMMIT_FAILS"})
  void nothingRemainsOfAFailedBatch(Point point) throws Exception {
    try (ExchangeMachine machine = machineWithASellOrder()) {
      ExchangeMachine.Rows before = machine.rows();
      var depth = machine.running().feed().depth("SYM");
      planned = point;

      assertThatThrownBy(() -> machine.submit(this::decide).toCompletableFuture().join())
          .isInstanceOf(CompletionException.class)
          .hasCauseInstanceOf(NotExecutedException.class);

      assertThat(machine.rows()).isEqualTo(before);
      assertThat(machine.running().feed().depth("SYM")).isEqualTo(depth);
      assertRepeatIsFirst(machine);
      assertThat(machine.running().batches().rebuilds()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"FAILS_BEFORE_WRITE", "COMMIT_FAILS"})
  void allOrNothingRemainsAfterAKill(Point point) throws Exception {
    try (ExchangeMachine machine = machineWithASellOrder()) {
      ExchangeMachine.Rows before = machine.rows();
      planned = point;
      machine.submit(this::decide);
      reached.join();
      machine.restart();

      if (point.isCommitted()) {
        assertOrderTraded(machine);
        var repeated = (Answer.Done<?>) machine.answer(ORDER);
        assertThat(repeated.replayed()).isTrue();
        assertThat(repeated.value())
            .isInstanceOfSatisfying(
                OrderWithTrades.class,
                it -> {
                  assertThat(it.order().openE4()).isEqualTo(10_000);
                  assertThat(it.trades().trades()).hasSize(1);
                });
        assertOrderTraded(machine);
      } else {
        assertThat(machine.rows()).isEqualTo(before);
        assertRepeatIsFirst(machine);
      }
    }
  }

  private ExchangeMachine machineWithASellOrder() throws Exception {
    var machine =
        new ExchangeMachine(
            engine, folder, CLOCK, BreakingTransactions::new, new BreakingListener());
    machine.submit(new ExchangeCommand.CreateAccount(null, "buyer:1", 1_000_000_000));
    machine.submit(new ExchangeCommand.CreateAccount("7", null, 0));
    machine.submit(new ExchangeCommand.AddShares(SELLER, "SYM", 50_000));
    machine.submit(new ExchangeCommand.PlaceOrder(SELLER, "SYM", Side.SELL, 20_000, 10_000));
    return machine;
  }

  private static void assertRepeatIsFirst(ExchangeMachine machine) {
    assertThat(machine.submit(ORDER).toCompletableFuture().join())
        .isInstanceOfSatisfying(Answer.Done.class, it -> assertThat(it.replayed()).isFalse());
    assertOrderTraded(machine);
  }

  private static void assertOrderTraded(ExchangeMachine machine) {
    ExchangeMachine.Rows rows = machine.rows();
    assertThat(rows.accounts())
        .extracting("cashE8")
        .containsExactly(600_000_000L, 200_000_000L); // 2 bought at 1, 1 reserved at 2
    assertThat(rows.orders()).extracting("number", "openE4").hasSize(2);
    assertThat(rows.trades()).hasSize(1);
    assertThat(machine.audit(true)).extracting(AuditCheckResult::ok).containsOnly(true);
  }

  /// The order, which breaks its batch if that is planned.
  private Answer<OpenedOrder> decide(ExchangeUnitOfWork unit) {
    Answer<OpenedOrder> answer = ORDER.decide(unit);
    RowReadException.unchecked(() -> {
      failAt(Point.FAILS_BEFORE_WRITE);
      return null;
    });
    dieAt(Point.DIES_BEFORE_WRITE);
    return answer;
  }

  private void failAt(Point here) throws SQLException {
    if (planned == here) {
      planned = null;
      throw new SQLException("planned: " + here);
    }
  }

  private void dieAt(Point here) {
    if (planned == here) {
      planned = null;
      reached.complete(null);
      throw new WriterKilled();
    }
  }

  private final class BreakingListener implements WriterListener {
    @Override
    public void onCommitted(CommandTimings.Commit commit) {
      dieAt(Point.DIES_BEFORE_ANSWER);
    }
  }

  /// At the planned point.
  private final class BreakingTransactions implements Transactions {
    private final Database database;

    BreakingTransactions(Database database) {
      this.database = database;
    }

    @Override
    public void commit() throws SQLException {
      failAt(Point.COMMIT_FAILS);
      dieAt(Point.DIES_BEFORE_COMMIT);
      database.commit();
      dieAt(Point.DIES_BEFORE_PUBLISHING);
    }

    @Override
    public void rollback() {
      database.rollback();
    }

    @Override
    public void probe() throws SQLException {
      database.probe();
    }

    @Override
    public void tidy() throws SQLException {
      database.tidy();
    }

    @Override
    public boolean tryReconnect(Exception failure) throws SQLException {
      return database.tryReconnect(failure);
    }
  }
}
