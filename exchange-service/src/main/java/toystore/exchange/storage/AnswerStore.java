package toystore.exchange.storage;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import toystore.exchange.domain.OpenedOrder;
import toystore.exchange.domain.OpenedOrder.EarlierOrder;
import toystore.exchange.engine.CashAccount;
import toystore.exchange.engine.Position;
import toystore.platform.error.ErrorReason;
import toystore.platform.journal.Answer;
import toystore.platform.journal.Answer.Done;
import toystore.platform.journal.Answer.Refusal;
import toystore.platform.journal.IdempotencyRecord;
import toystore.platform.journal.KeyJournal;
import toystore.platform.storage.ChecksummedTable;
import toystore.platform.storage.WriterStatement;

/// Idempotency records. What accounts and orders were at first is computed from their rows.
///
/// ```
/// outcome      ACCOUNT_CREATED, SHARES_ADDED, ORDER_OPENED, or an ErrorReason
/// number       of the account, position or order; 0: refused
/// shares_e4    SHARES_ADDED: shares of the position then that were not reserved
/// reserved_e4  SHARES_ADDED: reserved shares of the position then
/// detail       message of a refusal
/// ```
final class AnswerStore {
  private static final String ACCOUNT_CREATED = "ACCOUNT_CREATED";
  private static final String SHARES_ADDED = "SHARES_ADDED";
  private static final String ORDER_OPENED = "ORDER_OPENED";

  private AnswerStore() {}

  static ChecksummedTable<IdempotencyRecord> table(CashAccountStore accounts) {
    return KeyJournal.table(
        "answer",
        List.of("outcome", "number", "shares_e4", "reserved_e4", "detail"),
        AnswerStore::set,
        row -> read(row, accounts));
  }

  private static void set(WriterStatement row, Answer<?> answer) throws SQLException {
    switch (answer) {
      case Done(CashAccount account, _) ->
          row.set(ACCOUNT_CREATED).set(account.number()).set(0).set(0).set(null);
      case Done(Position position, _) ->
          row.set(SHARES_ADDED)
              .set(position.number())
              .set(position.sharesE4())
              .set(position.reservedE4())
              .set(null);
      case Done(OpenedOrder order, _) ->
          row.set(ORDER_OPENED).set(order.number()).set(0).set(0).set(null);
      case Refusal(ErrorReason reason, String message, _) ->
          row.set(reason.name()).set(0).set(0).set(0).set(message);
      default -> throw new IllegalStateException("an answer without columns: " + answer);
    }
  }

  private static Answer<?> read(ResultSet row, CashAccountStore accounts) throws SQLException {
    String outcome = row.getString("outcome");
    long number = row.getLong("number");
    var connection = row.getStatement().getConnection();
    return switch (outcome) {
      case ACCOUNT_CREATED -> new Done<>(CashAccountStore.atFirst(connection, number));
      case SHARES_ADDED ->
          new Done<>(
              accounts.positionWith(
                  connection, number, row.getLong("shares_e4"), row.getLong("reserved_e4")));
      case ORDER_OPENED -> new Done<>(new EarlierOrder(number));
      default -> new Refusal<>(ErrorReason.valueOf(outcome), row.getString("detail"));
    };
  }
}
