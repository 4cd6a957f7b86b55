package toystore.payment.domain;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import toystore.payment.domain.Payment.State;
import toystore.platform.journal.KeyedUnitOfWork;
import toystore.platform.storage.ReadThrough;

/// What a batch reads and changes. Writer's thread.
public abstract class PaymentUnitOfWork implements KeyedUnitOfWork {
  private final ReadThrough<String, Payment> payments;
  private final List<State> reached = new ArrayList<>();
  private long nextNumber;
  private final InstantSource clock;

  protected PaymentUnitOfWork(
      ReadThrough.Source<String, Payment> committed, long nextNumber, InstantSource clock) {
    this.payments = new ReadThrough<>(committed);
    this.nextNumber = nextNumber;
    this.clock = clock;
  }

  @Override
  public Instant now() {
    return Instant.ofEpochMilli(clock.millis());
  }

  @Nullable Payment find(String id) {
    return payments.find(id);
  }

  void add(String id, long amountCents, State state, Instant now) {
    put(new Payment(nextNumber++, id, amountCents, state, now));
  }

  void put(Payment payment) {
    payments.put(payment.id(), payment);
    reached.add(payment.state());
  }

  protected final Collection<Payment> changed() {
    return payments.changed().values();
  }

  /// After each change of the batch.
  protected final List<State> reached() {
    return reached;
  }

  protected final long nextNumber() {
    return nextNumber;
  }
}
