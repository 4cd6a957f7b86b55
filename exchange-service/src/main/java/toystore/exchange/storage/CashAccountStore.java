package toystore.exchange.storage;

import static toystore.common.RootLocale.format;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import toystore.exchange.domain.AccountKey;
import toystore.exchange.domain.ShareDeposit;
import toystore.exchange.engine.CashAccount;
import toystore.exchange.engine.Position;
import toystore.platform.storage.ChecksummedTable;
import toystore.platform.storage.CorruptDataException;

/// The tables `account`, `position` and `share_deposit`. Any thread, each with its own connection.
public final class CashAccountStore {
  static final ChecksummedTable<CashAccount> ACCOUNTS =
      new ChecksummedTable<>(
          "account",
          "number",
          List.of("number", "xml_id", "owner", "deposited_e8", "cash_e8", "reserved_e8"),
          (row, account) ->
              row.set(account.number())
                  .set(account.xmlId())
                  .set(account.owner())
                  .set(account.depositedE8())
                  .set(account.cashE8())
                  .set(account.reservedE8()),
          row ->
              new CashAccount(
                  row.getLong("number"),
                  row.getString("xml_id"),
                  row.getString("owner"),
                  row.getLong("deposited_e8"),
                  row.getLong("cash_e8"),
                  row.getLong("reserved_e8")));

  static final ChecksummedTable<ShareDeposit> DEPOSITS =
      new ChecksummedTable<>(
          "share_deposit",
          "number",
          List.of("number", "position", "symbol", "shares_e4", "deposited_at"),
          (row, deposit) ->
              row.set(deposit.number())
                  .set(deposit.position())
                  .set(deposit.symbol())
                  .set(deposit.sharesE4())
                  .set(deposit.depositedAt()),
          row ->
              new ShareDeposit(
                  row.getLong("number"),
                  row.getLong("position"),
                  row.getLong("symbol"),
                  row.getLong("shares_e4"),
                  row.getLong("deposited_at")));

  private final ChecksummedTable<Position> positions;

  public CashAccountStore(SymbolStore symbols) {
    positions =
        new ChecksummedTable<>(
            "position",
            "number",
            List.of("number", "account", "symbol", "shares_e4", "reserved_e4"),
            (row, position) ->
                row.set(position.number())
                    .set(position.account())
                    .set(position.symbol().number())
                    .set(position.sharesE4())
                    .set(position.reservedE4()),
            row ->
                new Position(
                    row.getLong("number"),
                    row.getLong("account"),
                    symbols.of(row, 3),
                    row.getLong("shares_e4"),
                    row.getLong("reserved_e4")));
  }

  /// In one transaction, so that all statements see the same commits.
  public static <T> T inSnapshot(Connection connection, SnapshotQuery<T> query)
      throws SQLException {
    connection.setAutoCommit(false);
    try {
      return query.run();
    } finally {
      connection.rollback();
      connection.setAutoCommit(true);
    }
  }

  @FunctionalInterface
  public interface SnapshotQuery<T> {
    T run() throws SQLException;
  }

  ChecksummedTable<Position> positions() {
    return positions;
  }

  public static Optional<CashAccount> find(Connection connection, long number) throws SQLException {
    return ACCOUNTS.row(connection, "WHERE number = ?", number);
  }

  /// Empty also if the key does not reach it.
  public static Optional<CashAccount> find(Connection connection, AccountKey key)
      throws SQLException {
    return switch (key) {
      case AccountKey.Numbered it -> find(connection, it.number()).filter(it::reaches);
      case AccountKey.Xml(String id) -> ACCOUNTS.row(connection, "WHERE xml_id = ?", id);
    };
  }

  /// @param owner null: all
  public static List<CashAccount> page(
      Connection connection, @Nullable String owner, long after, int limit) throws SQLException {
    return owner == null
        ? ACCOUNTS.rows(connection, "WHERE number > ? ORDER BY number LIMIT ?", after, limit)
        : ACCOUNTS.rows(
            connection,
            "WHERE owner = ? AND number > ? ORDER BY number LIMIT ?",
            owner,
            after,
            limit);
  }

  /// In the order in which the symbols were created.
  ///
  /// @param after number of a symbol
  public List<Position> positionsOf(Connection connection, long account, long after, int limit)
      throws SQLException {
    return positions.rows(
        connection,
        "WHERE account = ? AND symbol > ? ORDER BY symbol LIMIT ?",
        account,
        after,
        limit);
  }

  List<Position> positions(Connection connection, long after, int limit) throws SQLException {
    return positions.rows(connection, "WHERE number > ? ORDER BY number LIMIT ?", after, limit);
  }

  /// As it was created.
  static CashAccount atFirst(Connection connection, long number) throws SQLException {
    CashAccount now = find(connection, number).orElseThrow(() -> missing("account", number));
    return new CashAccount(
        number, now.xmlId(), now.owner(), now.depositedE8(), now.depositedE8(), 0);
  }

  /// As it was with these shares.
  Position positionWith(Connection connection, long number, long sharesE4, long reservedE4)
      throws SQLException {
    Position now =
        positions
            .row(connection, "WHERE number = ?", number)
            .orElseThrow(() -> missing("position", number));
    return new Position(number, now.account(), now.symbol(), sharesE4, reservedE4);
  }

  private static CorruptDataException missing(String what, long number) {
    return new CorruptDataException(format("damaged table: %s %d is missing", what, number));
  }

  static long lastDeposit(Connection connection) throws SQLException {
    return DEPOSITS.row(connection, "ORDER BY number DESC").map(ShareDeposit::number).orElse(0L);
  }
}
