package toystore.exchange.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.common.RootLocale.format;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import toystore.exchange.domain.AccountKey;
import toystore.exchange.domain.ExchangeCommand;
import toystore.exchange.engine.Side;
import toystore.platform.journal.RequestKey;
import toystore.platform.journal.Submitted;
import toystore.platform.service.AuditCheckResult;
import toystore.platform.storage.ChecksummedTable;
import toystore.platform.storage.MigrationDataSource;
import toystore.platform.storage.WriterListener;
import toystore.testkit.TestDatabase.Engine;

/// Audits a real database in which some rows were changed.
@ParameterizedClass
@MethodSource("toystore.testkit.TestDatabase#engines")
@Tag("engines")
@SuppressWarnings("NullAway.Init") // set before each test
class ExchangeAuditTest {
  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.ofEpochSecond(1_700_000_000));
  private static final AccountKey BUYER = new AccountKey.Numbered(1, "buyer:1");
  private static final AccountKey SELLER = new AccountKey.Xml("7");

  @Parameter Engine engine;
  @TempDir Path folder;
  private ExchangeMachine machine;

  @BeforeEach
  void trade() throws Exception {
    machine = new ExchangeMachine(engine, folder, CLOCK, it -> it, WriterListener.NONE);
    machine
        .submit(
            new Submitted<>(
                new ExchangeCommand.CreateAccount(null, "buyer:1", 1_000_000_000),
                new RequestKey("s", "k", true),
                null,
                () -> false))
        .toCompletableFuture()
        .join();
    machine.submit(new ExchangeCommand.CreateAccount("7", null, 0));
    machine.submit(new ExchangeCommand.AddShares(SELLER, "SYM", 30_000));
    machine.submit(new ExchangeCommand.AddShares(SELLER, "SYM", 20_000));
    order(SELLER, Side.SELL, 20_000, 10_000);
    order(SELLER, Side.SELL, 10_000, 12_000);
    order(BUYER, Side.BUY, 25_000, 11_000); // trades 2 at 1 with order 1, keeps 0.5 open
    order(BUYER, Side.BUY, 10_000, 9_000);
    machine.submit(new ExchangeCommand.CancelOrder(BUYER, 4));
  }

  private void order(AccountKey account, Side side, long shares, long limit) {
    machine.submit(new ExchangeCommand.PlaceOrder(account, "SYM", side, shares, limit));
  }

  @AfterEach
  void close() throws SQLException {
    machine.close();
  }

  @Test
  void auditOfUnchangedFilePasses() {
    assertThat(machine.audit(false))
        .isEqualTo(
            List.of(
                new AuditCheckResult("cash", true, "deposits equal cash and reserved cash"),
                new AuditCheckResult(
                    "shares", true, "deposits equal shares and reserved shares of each symbol"),
                new AuditCheckResult("reservations", true, "equal the open orders"),
                new AuditCheckResult("books", true, "no open buy order reaches an open sell order"),
                new AuditCheckResult(
                    "trades",
                    true,
                    "each is part of a buy and a sell order and within their limits"),
                new AuditCheckResult("numbers", true, "consecutive"),
                new AuditCheckResult(
                    "rows as written",
                    true,
                    "all checksums match, checked 2 accounts, 2 positions, 2 open orders, orders up"
                        + " to 4, trades up to 1")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          UPDATE account SET cash_e8 = cash_e8 + 1 WHERE number = 2      | cash         | 1000000000 e-8 deposited, 1000000001 e-8 in the accounts
          UPDATE account SET cash_e8 = -1, reserved_e8 = 1 WHERE number=2| cash         | account 2 has less than no cash
          UPDATE account SET reserved_e8 = 0 WHERE number = 1            | reservations | account 1: 0 e-8 reserved, 55000000 e-8 in open buy orders
          UPDATE position SET reserved_e4 = 1 WHERE account = 2          | reservations | position 1: 1 e-4 reserved, 10000 e-4 in open sell orders
          UPDATE position SET shares_e4 = shares_e4 + 1 WHERE account=1  | shares       | SYM: 50000 e-4 deposited, 50001 e-4 in the positions
          UPDATE share_deposit SET shares_e4 = 1 WHERE number = 2        | shares       | SYM: 30001 e-4 deposited, 50000 e-4 in the positions
          UPDATE share_deposit SET position = 9 WHERE number = 2         | shares       | deposit 2 has no position
          UPDATE limit_order SET account = 9 WHERE number = 2            | reservations | position 1: 10000 e-4 reserved, 0 e-4 in open sell orders
          UPDATE limit_order SET limit_e4 = 11000 WHERE number = 2       | books        | buy order 3 at 1.1 and sell order 2 at 1.1 are both open
          UPDATE limit_order SET open_e4 = 5001 WHERE number = 3         | trades       | order 3: 1.9999 shares executed, 2 in its trades
          UPDATE limit_order SET open_e4 = -1 WHERE number = 2           | trades       | order 2 has impossible shares
          UPDATE trade SET shares_e4 = 19999                             | trades       | order 1: 2 shares executed, 1.9999 in its trades
          UPDATE trade SET buy_order = 4                                 | trades       | order 3: 2 shares executed, 0 in its trades
          UPDATE trade SET price_e4 = 10001                              | trades       | trade 1: price 1.0001 of buy order 3 at 1.1 and sell order 1 at 1
          UPDATE trade SET symbol = 2                                    | rows as written | damaged table: symbol 2 is missing
          DELETE FROM account WHERE number = 1                           | numbers      | account 1 is missing
          DELETE FROM limit_order WHERE number = 2                       | numbers      | order 2 is missing
          UPDATE trade SET number = 2                                    | numbers      | trade 1 is missing
          DELETE FROM share_deposit WHERE number = 1                     | numbers      | deposit 1 is missing
          DELETE FROM position WHERE number = 1                          | numbers      | 1 positions, the last is 2
          """)
  void changedRowIsReported(String change, String check, String detail) throws SQLException {
    change(change);

    assertThat(machine.audit(false)).contains(new AuditCheckResult(check, false, detail));
  }

  @ParameterizedTest
  @CsvSource({"account", "symbol", "position", "share_deposit", "limit_order", "trade", "answer"})
  void rowThatWasNotWrittenByTheServiceIsReported(String table) throws SQLException {
    execute(format("UPDATE %s SET checksum = checksum + 1", table), Map.of());

    AuditCheckResult result = machine.audit(true).getFirst();
    assertThat(result.ok()).isFalse();
    assertThat(result.detail())
        .startsWith(format("damaged row: checksum mismatch in table %s,", table));
  }

  @Test
  void checkedTradesAreSkippedUntilTheAuditIsFull() throws SQLException {
    machine.audit(false);
    change("UPDATE trade SET price_e4 = 10001");
    assertThat(machine.audit(false)).allMatch(AuditCheckResult::ok);

    order(BUYER, Side.BUY, 10_000, 12_000); // further rows are checked against earlier ones
    assertThat(machine.audit(false)).allMatch(AuditCheckResult::ok);
    assertThat(machine.audit(true)).anyMatch(it -> Boolean.FALSE.equals(it.ok()));
  }

  /// Changes rows and updates all checksums, as a faulty service would.
  private void change(String sql) throws SQLException {
    if (engine == Engine.SQLITE) {
      MigrationDataSource.registerRowChecksum(machine.running().database().queryConnection());
    }
    Stream<ChecksummedTable<?>> tables =
        Stream.of(
            CashAccountStore.ACCOUNTS,
            CashAccountStore.DEPOSITS,
            machine.running().accounts().positions(),
            machine.running().orders().orders(),
            machine.running().orders().trades());
    execute(
        sql, tables.collect(Collectors.toMap(ChecksummedTable::name, ChecksummedTable::columns)));
  }

  private void execute(String sql, Map<String, List<String>> checksummed) throws SQLException {
    machine.stored().change(machine.running().database().queryConnection(), sql, checksummed);
  }
}
