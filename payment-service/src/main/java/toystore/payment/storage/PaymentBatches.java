package toystore.payment.storage;

import java.sql.SQLException;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import toystore.payment.domain.Payment;
import toystore.payment.domain.PaymentUnitOfWork;
import toystore.platform.storage.Batches;
import toystore.platform.storage.Database;

/// Payments are not kept in memory, only the next number.
public final class PaymentBatches implements Batches<PaymentUnitOfWork> {
  private final Database database;
  private final InstantSource clock;
  private final PaymentStore payments;
  private final Map<Payment.State, Long> transitions = new ConcurrentHashMap<>();
  private long nextNumber;

  public PaymentBatches(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
    this.payments = new PaymentStore(database);
  }

  @Override
  public void load() throws SQLException {
    nextNumber = PaymentStore.nextNumber(database.queryConnection());
  }

  /// Committed, since the start. Any thread.
  public long transitionsTo(Payment.State state) {
    return transitions.getOrDefault(state, 0L);
  }

  @Override
  public PaymentUnitOfWork begin() {
    return new PaymentUnitOfWork(
        id -> PaymentStore.find(database.queryConnection(), id).orElse(null), nextNumber, clock) {
      @Override
      public void write() throws SQLException {
        for (Payment payment : changed()) {
          PaymentBatches.this.payments.put(payment);
        }
      }

      @Override
      public void publish() {
        PaymentBatches.this.nextNumber = nextNumber();
        reached().forEach(it -> transitions.merge(it, 1L, Long::sum));
      }
    };
  }
}
