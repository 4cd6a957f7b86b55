package toystore.exchange.storage;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import toystore.exchange.domain.AccountKey;
import toystore.exchange.domain.ExchangeCommand;
import toystore.exchange.domain.ExchangeRequest;
import toystore.exchange.domain.ExchangeUnitOfWork;
import toystore.exchange.domain.MarketFeed;
import toystore.exchange.domain.OpenedOrder;
import toystore.exchange.engine.CashAccount;
import toystore.exchange.engine.EngineBounds;
import toystore.exchange.engine.LimitOrder;
import toystore.exchange.engine.MatchedTrade;
import toystore.exchange.engine.Position;
import toystore.platform.journal.Answer;
import toystore.platform.journal.Submitted;
import toystore.platform.service.AuditCheckResult;
import toystore.platform.storage.Command;
import toystore.platform.storage.Database;
import toystore.platform.storage.PostgresSchema;
import toystore.platform.storage.PostgresServer;
import toystore.platform.storage.ReadPool;
import toystore.platform.storage.SingleWriter;
import toystore.platform.storage.SqliteFile;
import toystore.platform.storage.Transactions;
import toystore.platform.storage.WriterListener;
import toystore.testkit.TestDatabase;
import toystore.testkit.TestDatabase.Engine;

/// The exchange without Spring, on a real database, which restarts from what a killed process
/// leaves.
final class ExchangeMachine implements AutoCloseable {

  private final TestDatabase stored;
  private final InstantSource clock;
  private final Function<Database, Transactions> transactions;
  private final WriterListener listener;
  private final EngineBounds bounds = EngineBounds.ofHeap(Long.MAX_VALUE);
  private @Nullable Running running;

  record Running(
      Database database,
      ReadPool readers,
      CashAccountStore accounts,
      LimitOrderStore orders,
      OrderAnswerStore answers,
      MarketFeed feed,
      ExchangeBatches batches,
      SingleWriter<ExchangeUnitOfWork> writer,
      ExchangeAudit audit) {
    void end() throws SQLException {
      writer.close();
      readers.close();
      database.close();
    }
  }

  record Rows(
      List<CashAccount> accounts,
      List<Position> positions,
      List<LimitOrder> orders,
      List<MatchedTrade> trades) {}

  /// @param transactions those of the writer
  ExchangeMachine(
      Engine engine,
      Path folder,
      InstantSource clock,
      Function<Database, Transactions> transactions,
      WriterListener listener)
      throws Exception {
    this.stored = new TestDatabase(engine, folder, "exchange");
    this.clock = clock;
    this.transactions = transactions;
    this.listener = listener;
    running = start();
  }

  private Running start() throws SQLException {
    Database database =
        stored.open(
            file -> SqliteFile.open(file, "db/exchange"),
            url -> PostgresSchema.of(new PostgresServer(url, "postgres", ""), "exchange"),
            PostgresSchema::tryBecomeWriter);
    var symbols = new SymbolStore();
    var accounts = new CashAccountStore(symbols);
    var orders = new LimitOrderStore(symbols);
    var feed = new MarketFeed(10);
    var batches = new ExchangeBatches(database, accounts, orders, feed, bounds, clock);
    var readers = database.readers(1, 10);
    return new Running(
        database,
        readers,
        accounts,
        orders,
        new OrderAnswerStore(accounts, orders),
        feed,
        batches,
        new SingleWriter<>(
                "machine", transactions.apply(database), batches, 10_000, 500, _ -> {}, listener)
            .start(),
        new ExchangeAudit(readers, accounts, orders));
  }

  /// Ends the process before, as a kill does.
  void restart() throws Exception {
    stored.kill();
    running().end();
    running = start();
  }

  Running running() {
    if (running == null) {
      throw new IllegalStateException("the machine was closed");
    }
    return running;
  }

  <T> CompletionStage<Answer<T>> submit(Command<ExchangeUnitOfWork, Answer<T>> command) {
    return running().writer.submit(command);
  }

  /// What a client is told.
  <T> Answer<?> answer(Submitted<ExchangeUnitOfWork, T> command) {
    return read(submit(command).toCompletableFuture().join());
  }

  /// What an answer of the writer refers to: an order that was opened or canceled.
  Answer<?> read(Answer<?> answer) {
    return switch (answer) {
      case Answer.Done(OpenedOrder.EarlierOrder(long number), boolean replayed) ->
          new Answer.Done<>(read(it -> running().answers.atFirst(it, number)), replayed);
      case Answer.Done(ExchangeRequest.FindOrder(var account, long order), _) ->
          find(account, order);
      default -> answer;
    };
  }

  /// With all of its trades, at most 1,000.
  Answer<OpenedOrder.OrderWithTrades> find(AccountKey account, long order) {
    return running()
        .answers
        .newest(running().readers, new ExchangeRequest.FindOrder(account, order))
        .toCompletableFuture()
        .join();
  }

  private <T> T read(ReadPool.Query<T> query) {
    return running().readers.read(query).toCompletableFuture().join();
  }

  <T> Answer<T> submit(ExchangeCommand<T> command) {
    return submit(new Submitted<>(command)).toCompletableFuture().join();
  }

  Rows rows() {
    return read(this::rows);
  }

  private Rows rows(Connection connection) throws SQLException {
    return new Rows(
        CashAccountStore.ACCOUNTS.rows(connection, "ORDER BY number"),
        running().accounts.positions().rows(connection, "ORDER BY number"),
        running().orders.orders().rows(connection, "ORDER BY number"),
        running().orders.trades().rows(connection, "ORDER BY number"));
  }

  List<AuditCheckResult> audit(boolean full) {
    return running().audit.run(full).toCompletableFuture().join();
  }

  TestDatabase stored() {
    return stored;
  }

  @Override
  public void close() throws SQLException {
    running().end();
    running = null;
  }
}
