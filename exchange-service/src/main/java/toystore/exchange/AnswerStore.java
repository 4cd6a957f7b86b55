package toystore.exchange;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import toystore.platform.idempotency.IdempotencyRecord;
import toystore.platform.idempotency.IdempotencyRecords;
import toystore.platform.storage.ChecksummedStatement;
import toystore.platform.storage.ChecksummedTable;

/// The columns of the table of idempotency records.
final class AnswerStore {
  static final ChecksummedTable<IdempotencyRecord<KeyedAnswer>> ANSWERS =
      IdempotencyRecords.table(
          "answer",
          List.of("outcome", "number", "shares_e4", "reserved_e4", "detail"),
          AnswerStore::set,
          AnswerStore::read);

  private AnswerStore() {}

  private static void set(ChecksummedStatement row, KeyedAnswer answer) throws SQLException {
    row.set(answer.outcome())
        .set(answer.number())
        .set(answer.sharesE4())
        .set(answer.reservedE4())
        .set(answer.message());
  }

  private static KeyedAnswer read(ResultSet row) throws SQLException {
    return new KeyedAnswer(
        row.getString("outcome"),
        row.getLong("number"),
        row.getLong("shares_e4"),
        row.getLong("reserved_e4"),
        row.getString("detail"),
        null,
        false);
  }
}
