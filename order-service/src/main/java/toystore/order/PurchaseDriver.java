package toystore.order;

import static java.util.Objects.requireNonNull;
import static toystore.order.OrderRefusal.CARD_DECLINED;
import static toystore.order.OrderRefusal.CARD_INVALID;
import static toystore.order.OrderRefusal.NOT_DONE;
import static toystore.order.OrderRefusal.OUTCOME_UNKNOWN;
import static toystore.order.OrderRefusal.OVERLOADED;
import static toystore.order.Purchase.State.AUTHORISED;
import static toystore.order.Purchase.State.CAPTURED;
import static toystore.order.Purchase.State.DECLINED;
import static toystore.order.Purchase.State.RETURNING;
import static toystore.order.Purchase.State.VOIDED;
import static toystore.order.Purchase.State.VOIDING;

import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import toystore.order.OrderCommand.BegunPurchase;
import toystore.order.OrderCommand.BegunPurchase.Sold;
import toystore.platform.idempotency.Answer;
import toystore.platform.idempotency.Submitted;
import toystore.platform.storage.ReadPool;
import toystore.platform.storage.SingleWriter;
import toystore.platform.text.CardFields;

/// Drives each purchase to its end. It makes the call that belongs to the purchase's state, records
/// the next state, and continues from there; after a restart, too. A call that is not answered is
/// repeated with growing pauses. All calls have the purchase's id as their key, so a repeat gets
/// the first answer.
///
/// ```
/// AUTHORISING  Authorise; without the card (after a restart) and after authoriseFor: VOIDING
/// AUTHORISED   SellItems; refused: VOIDING
/// SOLD         Capture; refused: RETURNING
/// VOIDING      Void
/// RETURNING    Void, and ReturnItems
/// ```
///
/// Any thread may call the methods. One dedicated thread, which never waits, runs the steps.
final class PurchaseDriver implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(PurchaseDriver.class);

  /// Maximum number of purchases that are not finished.
  static final int MAX_OPEN = 1_000;

  /// Maximum number of sold purchases that are read from disk at a time.
  private static final int MAX_RESUMED = 500;

  private static final long RESUME_INTERVAL_MILLIS = 1_000;
  private static final int MAX_WAITING = 100;
  private static final long MIN_PAUSE_MILLIS = 100;
  private static final long MAX_PAUSE_MILLIS = 5_000;

  private final SingleWriter<OrderDecider> writer;
  private final PaymentClient payments;
  private final ItemSalesClient items;
  private final LongSupplier lastNumber;
  private final long authoriseForNanos;
  private final Semaphore places = new Semaphore(MAX_OPEN);
  private final Map<String, OpenPurchase> open = new ConcurrentHashMap<>(); // own thread changes it
  private long resumedUpTo = -1; // own thread only
  private final Map<Purchase.State, LongAdder> finished = new EnumMap<>(Purchase.State.class);
  private final ScheduledExecutorService scheduler =
      new ScheduledThreadPoolExecutor(
          1,
          Thread.ofPlatform().daemon().name("purchase-driver").factory(),
          new ThreadPoolExecutor.DiscardPolicy()); // peers and writer answer after close(), too

  /// A purchase that is not finished, and the calls that wait for its decision. Only the driver's
  /// thread uses it.
  private static final class OpenPurchase {
    final long began = System.nanoTime();
    final Map<CompletableFuture<Answer<Sold, OrderRefusal>>, Boolean> waiting = new HashMap<>();
    volatile Purchase purchase; // gauges read it
    @Nullable CardFields card;

    /// The seller of each item, if the catalog has said it; absent after a restart.
    @Nullable Map<Long, Long> sellers;

    /// Whether an attempt to authorise may have arrived.
    boolean maybeAuthorised;

    long pauseMillis = MIN_PAUSE_MILLIS;

    OpenPurchase(Purchase purchase, @Nullable CardFields card) {
      this.purchase = purchase;
      this.card = card;
    }

    /// @param repeat whether the call repeats the one that began this purchase
    void await(CompletableFuture<Answer<Sold, OrderRefusal>> call, boolean repeat) {
      waiting.put(call, repeat);
    }

    void decided(Answer<Sold, OrderRefusal> answer) {
      waiting.forEach((call, repeat) ->
          call.complete(repeat && answer instanceof Answer.Done ? answer.again() : answer));
      waiting.clear();
    }
  }

  /// @param lastNumber [OrderBatchStore#lastNumber]
  PurchaseDriver(
      SingleWriter<OrderDecider> writer,
      PaymentClient payments,
      ItemSalesClient items,
      LongSupplier lastNumber,
      Duration authoriseFor) {
    this.writer = writer;
    this.payments = payments;
    this.items = items;
    this.lastNumber = lastNumber;
    this.authoriseForNanos = authoriseFor.toNanos();
    for (Purchase.State state : Purchase.State.values()) {
      finished.put(state, new LongAdder());
    }
  }

  /// Continues the purchases that were open when the service ended, once they were compared with
  /// the catalog's sales: a purchase is not voided whose sale the catalog has. Must be called once,
  /// before [#purchase].
  ///
  /// @param recovered grows when the writer changes purchases to what the catalog has
  void resume(ReadPool reader, LongSupplier recovered, CompletionStage<Void> compared) {
    List<Purchase> unsold =
        join(reader.read(connection -> PurchaseStore.unsold(connection, MAX_OPEN)));
    reserve(unsold.size());
    for (Purchase purchase : unsold) {
      var it = new OpenPurchase(purchase, null);
      scheduler.execute(() -> {
        add(it);
        compared.thenRunAsync(() -> step(it), scheduler);
      });
    }
    compared.thenRunAsync(
        () ->
            scheduler.scheduleWithFixedDelay(
                () -> resumeSold(reader, recovered.getAsLong()),
                0,
                RESUME_INTERVAL_MILLIS,
                TimeUnit.MILLISECONDS),
        scheduler);
  }

  /// Continues sold purchases that the writer changed or the service had when it ended. A sold
  /// purchase on disk that is not open here is not finished: the driver's thread waits for the
  /// read, and only that thread removes purchases.
  private void resumeSold(ReadPool reader, long recovered) {
    if (recovered == resumedUpTo) {
      return;
    }
    List<Purchase> sold;
    try {
      sold = join(reader.read(connection -> PurchaseStore.sold(connection, MAX_RESUMED)));
    } catch (RuntimeException e) {
      log.warn("cannot read the sold purchases, trying again: {}", e.getMessage());
      return;
    }
    boolean all = sold.size() < MAX_RESUMED;
    for (Purchase purchase : sold) {
      if (!open.containsKey(purchase.id())) {
        if (places.tryAcquire()) {
          begin(new OpenPurchase(purchase, null));
        } else {
          all = false;
        }
      }
    }
    if (all) {
      resumedUpTo = recovered;
    }
  }

  /// Takes places for purchases.
  void reserve(int count) {
    places.acquireUninterruptibly(count);
  }

  /// Buys what is in the cart.
  ///
  /// @return if it is removed with [#forget], it is never completed
  CompletableFuture<Answer<Sold, OrderRefusal>> purchase(
      Submitted<OrderDecider, BegunPurchase, OrderRefusal> command, CardFields card) {
    var answer = new CompletableFuture<Answer<Sold, OrderRefusal>>();
    if (!places.tryAcquire()) {
      answer.complete(
          Answer.Refusal.because(
              OVERLOADED,
              "server is overloaded (%d purchases in progress); nothing was bought; retry later",
              MAX_OPEN));
      return answer;
    }
    writer
        .submit(command)
        .whenCompleteAsync((result, failure) -> begun(result, failure, card, answer), scheduler)
        .exceptionally(failure -> {
          answer.completeExceptionally(failure);
          return null;
        });
    return answer;
  }

  /// Forgets a call that no longer waits. Its purchase goes on.
  void forget(CompletableFuture<Answer<Sold, OrderRefusal>> answer) {
    scheduler.execute(() -> open.values().forEach(it -> it.waiting.remove(answer)));
  }

  /// The number of purchases in an open state.
  long open(Purchase.State state) {
    return open.values().stream().filter(it -> it.purchase.state() == state).count();
  }

  /// The number of purchases that reached a final state since the start.
  long finished(Purchase.State state) {
    return requireNonNull(finished.get(state)).sum();
  }

  /// Ends the thread. Open purchases continue after the next start; what arrives later is ignored.
  @Override
  public void close() {
    scheduler.shutdownNow();
  }

  private void begun(
      @Nullable Answer<BegunPurchase, OrderRefusal> begun,
      @Nullable Throwable failure,
      CardFields card,
      CompletableFuture<Answer<Sold, OrderRefusal>> answer) {
    if (begun instanceof Answer.Done(BegunPurchase.Begun(Purchase purchase), _)) {
      var began = new OpenPurchase(purchase, card);
      began.await(answer, false);
      begin(began);
      return;
    }
    places.release();
    switch (begun) {
      case null -> answer.completeExceptionally(requireNonNull(failure));
      case Answer.Done(BegunPurchase value, boolean replayed) -> {
        switch (value) {
          case BegunPurchase.Begun _ -> {} // see above
          case BegunPurchase.InProgress(String id) -> join(id, answer);
          case Sold sold -> answer.complete(new Answer.Done<>(sold, replayed));
        }
      }
      case Answer.Refusal(OrderRefusal reason, String message, boolean replayed) ->
          answer.complete(new Answer.Refusal<>(reason, message, replayed));
      case Answer.NotDecided(Answer.Cause cause) -> answer.complete(new Answer.NotDecided<>(cause));
    }
  }

  /// A repeat waits for the purchase that its key began.
  private void join(String id, CompletableFuture<Answer<Sold, OrderRefusal>> answer) {
    OpenPurchase running = open.get(id);
    if (running == null || running.waiting.size() >= MAX_WAITING) {
      answer.complete(
          new Answer.Refusal<>(
              OUTCOME_UNKNOWN,
              "a purchase with this Idempotency-Key is in progress; repeat the request with the key"));
    } else {
      running.await(answer, true);
    }
  }

  private void begin(OpenPurchase it) {
    add(it);
    step(it);
  }

  private void add(OpenPurchase it) {
    open.put(it.purchase.id(), it);
  }

  /// Makes the call that belongs to the state.
  private void step(OpenPurchase it) {
    Purchase purchase = it.purchase;
    switch (purchase.state()) {
      case AUTHORISING -> authorise(it);
      case AUTHORISED ->
          attempt(
              it,
              () -> items.sell(purchase, lastNumber.getAsLong()),
              answer -> answered(it, answer));
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
                      .thenCompose(_ -> items.giveBack(purchase, lastNumber.getAsLong())),
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
          () -> items.sellers(purchase),
          sellers -> {
            it.sellers = sellers;
            step(it);
          });
      return;
    }
    attempt(
        it,
        () -> payments.capture(purchase.id()),
        captured -> record(it, purchase.to(captured ? CAPTURED : RETURNING), null));
  }

  private void authorise(OpenPurchase it) {
    CardFields card = it.card;
    if (card == null || System.nanoTime() - it.began > authoriseForNanos && it.maybeAuthorised) {
      record(
          it,
          it.purchase.to(VOIDING),
          new Answer.Refusal<>(
              OUTCOME_UNKNOWN,
              "the payment service did not answer; the payment is cancelled and the cart is as before; repeat the request with the key"));
      return;
    }
    attempt(it, () -> payments.authorise(it.purchase, card), answer -> authorised(it, answer));
  }

  private void authorised(OpenPurchase it, PaymentClient.Authorisation answer) {
    Purchase purchase = it.purchase;
    switch (answer) {
      case AUTHORISED -> {
        it.maybeAuthorised = true; // also if the commit fails
        record(it, purchase.to(AUTHORISED), null);
      }
      case DECLINED ->
          record(
              it,
              purchase.to(DECLINED),
              new Answer.Refusal<>(CARD_DECLINED, "card was declined; nothing was bought"));
      case INVALID ->
          record(
              it,
              purchase.to(VOIDING),
              new Answer.Refusal<>(CARD_INVALID, "the payment service does not accept this card"));
      case NOT_DONE -> {
        if (it.maybeAuthorised) {
          retry(it);
        } else {
          record(
              it,
              purchase.to(VOIDED),
              new Answer.Refusal<>(
                  NOT_DONE, "payment service is unavailable; nothing was bought; retry later"));
        }
      }
      case UNANSWERED -> {
        it.maybeAuthorised = true;
        retry(it);
      }
    }
  }

  private void answered(OpenPurchase it, ItemSalesClient.SaleAnswer answer) {
    switch (answer) {
      case ItemSalesClient.SaleAnswer.ItemsSold(ItemSale sale) -> {
        it.sellers = sale.sellers();
        record(it, it.purchase.sold(sale.number(), sale.soldAt()), null);
      }
      case ItemSalesClient.SaleAnswer.NotSold(var refusal) ->
          record(it, it.purchase.to(VOIDING), refusal);
      case ItemSalesClient.SaleAnswer.Unanswered _ -> retry(it);
    }
  }

  /// Commits the next state, answers the waiting calls if it decides the purchase, and goes on.
  ///
  /// @param refusal the answer if the purchase ends without a sale
  private void record(
      OpenPurchase it, Purchase next, Answer.@Nullable Refusal<Sold, OrderRefusal> refusal) {
    var command =
        new OrderCommand.RecordPurchase(
            next, refusal, Objects.requireNonNullElse(it.sellers, Map.of()));
    attempt(
        it, () -> writer.submit(new Submitted<>(command)), answer -> recorded(it, answer, refusal));
  }

  private void recorded(
      OpenPurchase it,
      Answer<Purchase, OrderRefusal> answer,
      Answer.@Nullable Refusal<Sold, OrderRefusal> refusal) {
    if (!(answer instanceof Answer.Done(Purchase now, _))) {
      retry(it); // a damaged row, or a transition that is not allowed
      return;
    }
    it.purchase = now;
    it.pauseMillis = MIN_PAUSE_MILLIS;
    if (!now.state().equals(Purchase.State.AUTHORISING)) {
      it.card = null;
    }
    if (now.state() == Purchase.State.SOLD) {
      it.decided(new Answer.Done<>(new Sold(now.cart().units(), now.soldSale().number())));
    } else if (refusal != null) {
      it.decided(refusal);
    }
    step(it);
  }

  private void finish(OpenPurchase it) {
    open.remove(it.purchase.id());
    requireNonNull(finished.get(it.purchase.state())).increment();
    places.release();
  }

  /// Calls, and handles the answer on the driver's thread. A failed call is repeated.
  private <T> void attempt(
      OpenPurchase it, Supplier<CompletionStage<T>> call, Consumer<T> onAnswer) {
    start(call)
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

  private static <T> CompletionStage<T> start(Supplier<CompletionStage<T>> call) {
    try {
      return call.get();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private void retry(OpenPurchase it) {
    scheduler.schedule(() -> step(it), it.pauseMillis, TimeUnit.MILLISECONDS);
    it.pauseMillis = Math.min(2 * it.pauseMillis, MAX_PAUSE_MILLIS);
  }

  private static <T> T join(CompletionStage<T> answer) {
    return answer.toCompletableFuture().join();
  }
}
