package toystore.payment.storage;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import toystore.payment.domain.LedgerDecider;
import toystore.payment.domain.Payment;
import toystore.payment.domain.PaymentCommand;
import toystore.platform.idempotency.Answer;
import toystore.platform.storage.CorruptDataException;
import toystore.platform.storage.Database;
import toystore.platform.storage.DatabaseBatchStore;
import toystore.platform.storage.RowReadException;

/// Writes the ledger. Payments are not kept in memory: a command is decided on the row on disk, or
/// on the change that this batch made to it.
public final class LedgerBatchStore extends DatabaseBatchStore<LedgerDecider> {
  private static final Logger log = LoggerFactory.getLogger(LedgerBatchStore.class);

  private final Database database;
  private final InstantSource clock;
  private final PaymentStore payments;
  private final Map<Payment.State, LongAdder> transitions = new EnumMap<>(Payment.State.class);
  private long nextNumber;

  public LedgerBatchStore(Database database, InstantSource clock) {
    super(database);
    this.database = database;
    this.clock = clock;
    this.payments = new PaymentStore(database);
    for (Payment.State state : Payment.State.values()) {
      transitions.put(state, new LongAdder());
    }
  }

  @Override
  protected void load(Connection writing) throws SQLException {
    nextNumber = PaymentStore.nextNumber(writing);
  }

  /// Committed transitions to a state since the start. Any thread.
  public long transitionsTo(Payment.State state) {
    LongAdder count = transitions.get(state);
    return count == null ? 0 : count.sum();
  }

  @Override
  public Batch<LedgerDecider> open() {
    return new LedgerBatch();
  }

  /// One transaction. Writer's thread.
  private final class LedgerBatch extends Transaction {
    private final Map<String, Payment> changed = new LinkedHashMap<>();
    private final Map<Payment.State, Long> reached = new EnumMap<>(Payment.State.class);
    private long next = nextNumber;

    @Override
    protected LedgerDecider decider() {
      return this::apply;
    }

    private Answer<Payment.State> apply(PaymentCommand command) {
      Payment known;
      try {
        known = RowReadException.unchecked(() -> find(command.paymentId())).orElse(null);
      } catch (CorruptDataException e) { // affects only this payment; the other commands continue
        log.error("the row of a payment is damaged", e);
        return new Answer.NotDecided<>(Answer.Cause.DAMAGED);
      }
      Answer<Payment.State> answer = command.decide(known);
      if (answer instanceof Answer.Done(Payment.State state, _)
          && (known == null || known.state() != state)) {
        change(command, known, state);
      }
      return answer;
    }

    private Optional<Payment> find(String id) throws SQLException {
      Payment inBatch = changed.get(id);
      return inBatch == null ? PaymentStore.find(database.writing(), id) : Optional.of(inBatch);
    }

    private void change(PaymentCommand command, @Nullable Payment known, Payment.State state) {
      Instant now = Instant.ofEpochMilli(clock.millis());
      Payment payment =
          known == null
              ? new Payment(next++, command.paymentId(), amountCents(command), state, now)
              : new Payment(known.number(), known.id(), known.amountCents(), state, now);
      changed.put(payment.id(), payment);
      reached.merge(state, 1L, Long::sum);
    }

    private static long amountCents(PaymentCommand command) {
      return switch (command) {
        case PaymentCommand.Authorise authorise -> authorise.amountCents();
        case PaymentCommand.Capture _, PaymentCommand.Void _ -> 0;
      };
    }

    @Override
    public void write() throws SQLException {
      for (Payment payment : changed.values()) {
        payments.put(payment);
      }
    }

    @Override
    public void publish() {
      nextNumber = next;
      reached.forEach((state, count) -> {
        LongAdder total = transitions.get(state);
        if (total != null) {
          total.add(count);
        }
      });
    }
  }
}
