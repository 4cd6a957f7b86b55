package toystore.payment.storage;

import static toystore.common.RootLocale.format;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import toystore.payment.domain.Payment;
import toystore.platform.storage.ChecksummedTable;
import toystore.platform.storage.CorruptDataException;
import toystore.platform.storage.Database;
import toystore.platform.storage.WriterStatement;

/// The table `payment`. An instance writes and belongs to the writer's thread; the static methods
/// read on any connection.
public final class PaymentStore {
  private static final ChecksummedTable<Payment> PAYMENTS =
      new ChecksummedTable<>(
          "payment",
          "number",
          List.of("number", "payment_id", "amount_cents", "state", "changed_at"),
          PaymentStore::bind,
          PaymentStore::fromRow);

  private final ChecksummedTable<Payment>.Writer payments;

  PaymentStore(Database database) {
    payments = PAYMENTS.upserts(database, List.of("state", "changed_at"));
  }

  void put(Payment payment) throws SQLException {
    payments.put(payment);
  }

  /// If there is none, checks the neighbours in the index, too: a disk error may have changed an
  /// id, and the payment must not be made again.
  ///
  /// @throws CorruptDataException if one of these rows is damaged
  static Optional<Payment> find(Connection connection, String id) throws SQLException {
    Optional<Payment> atOrAfter =
        PAYMENTS.row(connection, "WHERE payment_id >= ? ORDER BY payment_id", id);
    if (atOrAfter.isPresent() && atOrAfter.get().id().equals(id)) {
      return atOrAfter;
    }
    var _ = PAYMENTS.row(connection, "WHERE payment_id < ? ORDER BY payment_id DESC", id);
    return Optional.empty();
  }

  /// @throws CorruptDataException if a row is damaged, or a number is missing before another
  public static List<Payment> page(Connection connection, long from, int limit)
      throws SQLException {
    return PAYMENTS.run(connection, "number >= ?", from, from, limit);
  }

  public static long nextNumber(Connection connection) throws SQLException {
    return PAYMENTS
        .row(connection, "ORDER BY number DESC")
        .map(last -> last.number() + 1)
        .orElse(0L);
  }

  private static void bind(WriterStatement row, Payment payment) throws SQLException {
    row.set(payment.number())
        .set(payment.id())
        .set(payment.amountCents())
        .set(payment.state().name())
        .set(payment.changedAt().toEpochMilli());
  }

  private static Payment fromRow(ResultSet row) throws SQLException {
    long number = row.getLong("number");
    try {
      return new Payment(
          number,
          row.getString("payment_id"),
          row.getLong("amount_cents"),
          Payment.State.valueOf(row.getString("state")),
          Instant.ofEpochMilli(row.getLong("changed_at")));
    } catch (IllegalArgumentException e) {
      throw new CorruptDataException(format("damaged row: payment %d: %s", number, e.getMessage()));
    }
  }
}
