package toystore.order.purchases;

import static java.util.Objects.requireNonNull;
import static toystore.order.domain.Purchase.State.CAPTURED;
import static toystore.order.domain.Purchase.State.DECLINED;
import static toystore.order.domain.Purchase.State.RETURNING;
import static toystore.order.domain.Purchase.State.VOIDED;
import static toystore.order.domain.Purchase.State.VOIDING;
import static toystore.platform.rpc.UnaryFutures.await;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.stereotype.Component;
import toystore.order.domain.BegunPurchase;
import toystore.order.domain.BegunPurchase.Sold;
import toystore.order.domain.ItemSale;
import toystore.order.domain.OrderCommand;
import toystore.order.domain.OrderUnitOfWork;
import toystore.order.domain.Purchase;
import toystore.order.storage.OrderBatches;
import toystore.order.storage.PurchaseStore;
import toystore.platform.error.ErrorReason;
import toystore.platform.journal.Answer;
import toystore.platform.journal.Answer.Refusal;
import toystore.platform.journal.Submitted;
import toystore.platform.storage.ReadPool;
import toystore.platform.storage.SingleWriter;
import toystore.platform.text.CardFields;

/// Drives each purchase to its end: makes the call of its state, records the next state, and goes
/// on, after a restart, too. A call that is not answered is repeated with growing pauses; its key
/// is the purchase's id, so a repeat gets the first answer.
///
/// ```
/// AUTHORISING  Authorise; after authoriseFor: VOIDING
///              then SellItems; refused: VOIDING
///              after a restart only SellItems, which cancels the sale unless it was made
/// SOLD         Capture; refused: RETURNING
/// VOIDING      Void
/// RETURNING    Void, and ReturnItems
/// ```
///
/// Any thread may call the methods. One dedicated thread, which waits only for [#resume], runs the
/// steps.
@Component
public final class PurchaseDriver implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(PurchaseDriver.class);

  static final int MAX_OPEN = 1_000;

  private static final int MAX_WAITING = 100;
  private static final long MIN_PAUSE_MILLIS = 100;
  private static final long MAX_PAUSE_MILLIS = 5_000;

  private final SingleWriter<OrderUnitOfWork> writer;
  private final PaymentClient payments;
  private final ItemSalesClient items;
  private final OrderBatches store;
  private final ReadPool reader;

  /// Then an authorisation without an answer is voided. A test may shorten it.
  volatile long authoriseForNanos = TimeUnit.SECONDS.toNanos(30);

  final Semaphore places = new Semaphore(MAX_OPEN);
  private final Map<String, OpenPurchase> open = new ConcurrentHashMap<>(); // own thread changes it
  private boolean unsoldResumed; // own thread only
  private final Map<Purchase.State, Counter> finished = new EnumMap<>(Purchase.State.class);
  private final ScheduledExecutorService scheduler =
      new ScheduledThreadPoolExecutor(
          1,
          Thread.ofPlatform().daemon().name("purchase-driver").factory(),
          new ThreadPoolExecutor.DiscardPolicy()); // peers and writer answer after close(), too

  /// A purchase that is not finished, and the calls that wait for its decision. Driver's thread.
  private static final class OpenPurchase {
    final long began = System.nanoTime();

    /// Each with whether it repeats the call that began this purchase.
    final Map<CompletableFuture<Answer<Sold>>, Boolean> waiting = new HashMap<>();

    final CompletableFuture<Void> captured = new CompletableFuture<>();
    volatile Purchase purchase; // any thread reads it

    /// Null when it is authorised, and after a restart.
    @Nullable CardFields card;

    boolean authorised;

    /// By item; absent after a restart.
    @Nullable Map<Long, Long> sellers;

    /// Whether an attempt to authorise may have arrived.
    boolean maybeAuthorised;

    long pauseMillis = MIN_PAUSE_MILLIS;

    OpenPurchase(Purchase purchase, @Nullable CardFields card) {
      this.purchase = purchase;
      this.card = card;
    }

    void complete(Answer<Sold> answer) {
      waiting.forEach((call, repeat) ->
          call.complete(repeat && answer instanceof Answer.Done ? answer.again() : answer));
      waiting.clear();
    }
  }

  /// @param purchaseReader of its own: the driver's thread waits for it
  PurchaseDriver(
      SingleWriter<OrderUnitOfWork> writer,
      PaymentClient payments,
      ItemSalesClient items,
      OrderBatches store,
      @Qualifier("purchaseReader") ReadPool purchaseReader,
      MeterRegistry registry) {
    this.writer = writer;
    this.payments = payments;
    this.items = items;
    this.store = store;
    this.reader = purchaseReader;
    for (Purchase.State state : Purchase.State.values()) {
      String tag = state.name().toLowerCase(Locale.ROOT);
      if (state.isOpen()) {
        Gauge.builder("toystore.purchases.open", this, it -> it.open(state))
            .description("Purchases that are not finished, by state")
            .tag("state", tag)
            .register(registry);
      } else {
        finished.put(
            state,
            Counter.builder("toystore.purchases.finished")
                .description("Finished purchases, by outcome")
                .tag("outcome", tag)
                .register(registry));
      }
    }
  }

  /// Continues purchases on disk that are not open here: those of before the start, and later those
  /// that the writer changed to what the catalog has. Must be complete before the first
  /// [#purchase]. The driver's thread waits for the read and alone removes purchases, so a sold
  /// purchase that is not open here is not finished.
  ///
  /// @return whether these were all; otherwise it must be called again
  CompletionStage<Boolean> resume() {
    return CompletableFuture.supplyAsync(this::resumeAll, scheduler);
  }

  private boolean resumeAll() {
    List<Purchase> found = new ArrayList<>();
    if (!unsoldResumed) { // from now on, each is open here from its commit on
      found.addAll(await(reader.read(it -> PurchaseStore.open(it, false, MAX_OPEN))));
    }
    List<Purchase> sold = await(reader.read(it -> PurchaseStore.open(it, true, MAX_OPEN)));
    found.addAll(sold);
    boolean all = sold.size() < MAX_OPEN;
    for (Purchase purchase : found) {
      if (!open.containsKey(purchase.id())) {
        if (places.tryAcquire()) {
          begin(new OpenPurchase(purchase, null));
        } else {
          all = false;
        }
      }
    }
    unsoldResumed = true;
    return all;
  }

  public CompletableFuture<Answer<Sold>> purchase(
      Submitted<OrderUnitOfWork, BegunPurchase> command, CardFields card) {
    var answer = new CompletableFuture<Answer<Sold>>();
    if (!places.tryAcquire()) {
      answer.complete(
          Refusal.because(
              ErrorReason.OVERLOADED,
              "server is overloaded (%d purchases in progress); nothing was bought; retry later",
              MAX_OPEN));
      return answer;
    }
    scheduler.execute(() -> submit(command, card, answer));
    return answer;
  }

  /// Completes when the money of each sold purchase with the item is captured, or refused.
  public CompletableFuture<Void> whenCaptured(long buyerId, long itemId) {
    return CompletableFuture.allOf(
        open.values().stream()
            .filter(it -> it.purchase.state() == Purchase.State.SOLD)
            .filter(it -> it.purchase.owner().buyerId() == buyerId)
            .filter(it -> it.purchase.cart().line(itemId).isPresent())
            .map(it -> it.captured)
            .toArray(CompletableFuture[]::new));
  }

  long open(Purchase.State state) {
    return open.values().stream().filter(it -> it.purchase.state() == state).count();
  }

  /// Open purchases continue after the next start; what arrives later is ignored.
  @Override
  public void close() {
    scheduler.shutdownNow();
  }

  /// On the driver's thread, which gets the result too, so that a repeat finds its purchase.
  private void submit(
      Submitted<OrderUnitOfWork, BegunPurchase> command,
      CardFields card,
      CompletableFuture<Answer<Sold>> answer) {
    writer
        .submit(command)
        .whenCompleteAsync((result, failure) -> begun(result, failure, card, answer), scheduler)
        .exceptionally(failure -> {
          answer.completeExceptionally(failure);
          return null;
        });
  }

  private void begun(
      @Nullable Answer<BegunPurchase> begun,
      @Nullable Throwable failure,
      CardFields card,
      CompletableFuture<Answer<Sold>> answer) {
    if (begun instanceof Answer.Done(BegunPurchase.Undecided(Purchase purchase, boolean earlier), _)
        && !earlier) {
      var began = new OpenPurchase(purchase, card);
      began.waiting.put(answer, false);
      begin(began);
      return;
    }
    places.release();
    switch (begun) {
      case null -> answer.completeExceptionally(requireNonNull(failure));
      case Answer.Done(BegunPurchase.Undecided(Purchase purchase, _), _) ->
          join(purchase.id(), answer);
      case Answer<BegunPurchase> decided -> answer.complete(decided.map(Sold.class::cast));
    }
  }

  private void join(String id, CompletableFuture<Answer<Sold>> answer) {
    OpenPurchase running = open.get(id);
    if (running != null) {
      running.waiting.keySet().removeIf(CompletableFuture::isDone); // those no longer wait
    }
    if (running == null || running.waiting.size() >= MAX_WAITING) {
      answer.complete(
          new Refusal<>(
              ErrorReason.OUTCOME_UNKNOWN,
              "a purchase with this Idempotency-Key is in progress; repeat the request with the key"));
    } else {
      running.waiting.put(answer, true);
    }
  }

  private void begin(OpenPurchase it) {
    open.put(it.purchase.id(), it);
    step(it);
  }

  private void step(OpenPurchase it) {
    Purchase purchase = it.purchase;
    switch (purchase.state()) {
      case AUTHORISING -> {
        CardFields card = it.card;
        if (card == null) {
          attempt(
              it,
              () -> items.sell(purchase, store.lastNumber(), !it.authorised),
              answer -> recordSale(it, answer));
        } else {
          authorise(it, card);
        }
      }
      case SOLD -> capture(it);
      case VOIDING ->
          attempt(
              it,
              () -> payments.release(purchase.id()),
              _ -> record(it, purchase.to(VOIDED), null));
      case RETURNING ->
          attempt(
              it,
              () ->
                  payments
                      .release(purchase.id())
                      .thenCompose(_ -> items.giveBack(purchase, store.lastNumber())),
              sale -> record(it, purchase.returned(sale.number()), null));
      case CAPTURED, DECLINED, VOIDED, RETURNED -> finish(it);
    }
  }

  /// The sellers are known with the sale, except after a restart.
  private void capture(OpenPurchase it) {
    Purchase purchase = it.purchase;
    if (it.sellers == null) {
      attempt(
          it,
          () -> items.sales(purchase.soldSale().number(), 1),
          page -> {
            it.sellers = page.sales().getFirst().sellers();
            step(it);
          });
      return;
    }
    attempt(
        it,
        () -> payments.capture(purchase.id()),
        captured -> record(it, purchase.to(captured ? CAPTURED : RETURNING), null));
  }

  private void authorise(OpenPurchase it, CardFields card) {
    boolean maybeBefore = it.maybeAuthorised;
    if (System.nanoTime() - it.began > authoriseForNanos && maybeBefore) {
      record(
          it,
          it.purchase.to(VOIDING),
          new Refusal<>(
              ErrorReason.OUTCOME_UNKNOWN,
              "the payment service did not answer; the payment is cancelled and the cart is as before; repeat the request with the key"));
      return;
    }
    it.maybeAuthorised = true;
    attempt(
        it,
        () -> payments.authorise(it.purchase, card),
        refusal ->
            refusal.ifPresentOrElse(
                why -> handleNotAuthorised(it, why, maybeBefore), () -> acceptAuthorisation(it)));
  }

  /// Nothing is committed: after a restart the catalog says whether the purchase was sold.
  private void acceptAuthorisation(OpenPurchase it) {
    it.authorised = true;
    it.card = null;
    it.pauseMillis = MIN_PAUSE_MILLIS;
    step(it);
  }

  /// @param maybeBefore whether an earlier attempt may have arrived
  private void handleNotAuthorised(OpenPurchase it, Refusal<Sold> refusal, boolean maybeBefore) {
    switch (refusal.reason()) {
      case CARD_DECLINED -> record(it, it.purchase.to(DECLINED), refusal);
      case INVALID -> record(it, it.purchase.to(VOIDING), refusal);
      default -> {
        it.maybeAuthorised = maybeBefore;
        if (maybeBefore) {
          retry(it);
        } else {
          record(it, it.purchase.to(VOIDED), refusal);
        }
      }
    }
  }

  private void recordSale(OpenPurchase it, Answer<ItemSale> answer) {
    switch (answer) {
      case Answer.Done(ItemSale sale, _) -> {
        it.sellers = sale.sellers();
        record(it, it.purchase.sold(sale), null);
      }
      case Refusal(ErrorReason reason, String message, _) ->
          record(it, it.purchase.to(VOIDING), new Refusal<>(reason, message));
      case Answer.NotDecided<?> _ -> retry(it);
    }
  }

  /// Commits the next state, answers the waiting calls if it decides the purchase, and goes on.
  ///
  /// @param refusal null unless the purchase ends without a sale
  private void record(OpenPurchase it, Purchase next, @Nullable Refusal<Sold> refusal) {
    Map<Long, Long> sellers = it.sellers == null ? Map.of() : it.sellers;
    attempt(
        it,
        () -> writer.submit(new Submitted<>(new OrderCommand.RecordState(next, refusal, sellers))),
        answer -> {
          if (answer instanceof Answer.Done(Purchase now, _)) {
            recorded(it, now, refusal);
          } else {
            retry(it);
          }
        });
  }

  private void recorded(OpenPurchase it, Purchase now, @Nullable Refusal<Sold> refusal) {
    it.purchase = now;
    it.pauseMillis = MIN_PAUSE_MILLIS;
    it.card = null;
    if (now.state() == Purchase.State.SOLD) {
      it.complete(new Answer.Done<>(new Sold(now.cart().units(), now.soldSale().number())));
    } else if (refusal != null) {
      it.complete(refusal);
    } else if (now.state().isSold()) {
      it.captured.complete(null);
    }
    step(it);
  }

  private void finish(OpenPurchase it) {
    open.remove(it.purchase.id());
    requireNonNull(finished.get(it.purchase.state())).increment();
    places.release();
  }

  /// Handles the answer on the driver's thread. A failed call is repeated.
  private <T> void attempt(
      OpenPurchase it, Supplier<CompletionStage<T>> call, Consumer<T> onAnswer) {
    CompletableFuture.completedFuture(it)
        .thenCompose(_ -> call.get())
        .<Void>handleAsync(
            (answer, failure) -> {
              if (failure == null) {
                onAnswer.accept(answer);
              } else {
                log.debug(
                    "purchase {} repeats a call in state {}",
                    it.purchase.id(),
                    it.purchase.state(),
                    failure);
                retry(it);
              }
              return null;
            },
            scheduler)
        .exceptionally(bug -> {
          log.error("purchase {} stops in state {}", it.purchase.id(), it.purchase.state(), bug);
          return null;
        });
  }

  private void retry(OpenPurchase it) {
    scheduler.schedule(() -> step(it), it.pauseMillis, TimeUnit.MILLISECONDS);
    it.pauseMillis = Math.min(2 * it.pauseMillis, MAX_PAUSE_MILLIS);
  }
}
