package toystore.exchange;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import toystore.exchange.engine.CashAccount;
import toystore.exchange.engine.LimitOrder;
import toystore.exchange.engine.MatchedTrade;
import toystore.exchange.engine.Position;
import toystore.platform.service.AuditCheckResult;
import toystore.platform.storage.BatchStore;
import toystore.platform.storage.ReadPool;
import toystore.platform.storage.SingleWriter;
import toystore.platform.storage.SqliteFile;

/// The exchange without Spring, on a real database file. It can be restarted from the files that a
/// killed process leaves.
final class ExchangeMachine implements AutoCloseable {
  private static final int BUFFER = 1_000_000;

  private final Path folder;
  private final InstantSource clock;
  private final UnaryOperator<BatchStore<PendingExchangeCommand, ExchangeResult>> wrapper;
  private int restarts;
  private @Nullable Running running;

  /// What ends with the process.
  record Running(
      SqliteFile file,
      ReadPool readers,
      CashAccountStore accounts,
      LimitOrderStore orders,
      MarketFeed feed,
      ExchangeBatchStore batchStore,
      SingleWriter<PendingExchangeCommand, ExchangeResult> writer,
      ExchangeAudit audit) {
    void end() throws SQLException {
      writer.close();
      readers.close();
      file.close();
    }
  }

  /// All rows.
  record Rows(
      List<CashAccount> accounts,
      List<Position> positions,
      List<LimitOrder> orders,
      List<MatchedTrade> trades) {}

  ExchangeMachine(Path folder, InstantSource clock) throws Exception {
    this(folder, clock, it -> it);
  }

  /// @param wrapper of the batch store
  ExchangeMachine(
      Path folder,
      InstantSource clock,
      UnaryOperator<BatchStore<PendingExchangeCommand, ExchangeResult>> wrapper)
      throws Exception {
    this.folder = folder;
    this.clock = clock;
    this.wrapper = wrapper;
    running = start();
  }

  private Running start() throws SQLException {
    SqliteFile file = SqliteFile.open(file(""), "db/exchange");
    var symbols = new SymbolStore();
    var accounts = new CashAccountStore(symbols);
    var orders = new LimitOrderStore(symbols);
    var feed = new MarketFeed(10, BUFFER);
    var batchStore = new ExchangeBatchStore(file, accounts, orders, feed, clock);
    var readers = file.readers(1, 10);
    return new Running(
        file,
        readers,
        accounts,
        orders,
        feed,
        batchStore,
        new SingleWriter<>("machine", wrapper.apply(batchStore), 10_000, 500, _ -> {}),
        new ExchangeAudit(readers, accounts, orders));
  }

  /// Starts from the files of the process before, as a kill leaves them, and ends that process.
  void restart() throws Exception {
    Path database = file("");
    Path log = file("-wal");
    restarts++;
    Files.copy(database, file(""));
    if (Files.exists(log)) {
      Files.copy(log, file("-wal"));
    }
    running().end();
    running = start();
  }

  Running running() {
    if (running == null) {
      throw new IllegalStateException("the machine was closed");
    }
    return running;
  }

  CompletionStage<ExchangeResult> submit(PendingExchangeCommand command) {
    return running().writer.submit(command);
  }

  ExchangeResult submit(ExchangeCommand command) {
    return submit(PendingExchangeCommand.of(command)).toCompletableFuture().join();
  }

  Rows rows() {
    return running().readers.read(this::rows).toCompletableFuture().join();
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

  private Path file(String suffix) {
    return folder.resolve("exchange-" + restarts + ".db" + suffix);
  }

  @Override
  public void close() throws SQLException {
    running().end();
    running = null;
  }
}
