package toystore.order;

import static toystore.order.OrderRefusal.AMOUNT_TOO_LARGE;
import static toystore.order.OrderRefusal.CART_CHANGED;
import static toystore.order.OrderRefusal.CART_EMPTY;
import static toystore.order.OrderRefusal.CART_FULL;
import static toystore.order.OrderRefusal.ITEM_NOT_FOUND;
import static toystore.order.OrderRefusal.NOT_ENOUGH;
import static toystore.order.OrderRefusal.NOT_IN_CART;
import static toystore.order.OrderRefusal.PRICE_CHANGED;
import static toystore.order.OrderRefusal.PURCHASE_RETURNED;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import toystore.order.OrderCommand.BegunPurchase;
import toystore.order.OrderCommand.BegunPurchase.Sold;
import toystore.platform.idempotency.Answer;
import toystore.platform.idempotency.Answer.Done;
import toystore.platform.idempotency.Answer.Refusal;
import toystore.platform.idempotency.BatchIdempotency;
import toystore.platform.idempotency.IdempotencyRecord;
import toystore.platform.idempotency.IdempotencyRecords;
import toystore.platform.idempotency.RequestHash;
import toystore.platform.idempotency.RequestKey;
import toystore.platform.storage.CorruptDataException;
import toystore.platform.storage.RowReadException;
import toystore.platform.storage.SqliteBatchStore;
import toystore.platform.storage.SqliteFile;
import toystore.platform.text.Limits;

/// Changes carts and purchases. Each command is decided against the rows on disk, which are found
/// by index, and the changes of its own batch.
final class OrderBatchStore extends SqliteBatchStore<OrderDecider> {
  private static final Logger log = LoggerFactory.getLogger(OrderBatchStore.class);

  /// How long a purchase that was not sold is kept, from its begin.
  static final Duration UNSOLD_RETENTION = Duration.ofDays(1);

  private static final Answer<Sold, OrderRefusal> UNDONE =
      new Refusal<>(
          PURCHASE_RETURNED,
          "the payment could not be captured, so the purchase was undone; nothing was charged");

  private final Connection writing;
  private final InstantSource clock;
  private final CartStore carts;
  private final PurchaseStore purchases;
  private final UnitTotalStore totals;
  private final IdempotencyRecords<OrderRefusal> answers;
  private final AtomicLong recovered = new AtomicLong();
  private volatile long lastNumber;
  private long nextLine;

  OrderBatchStore(SqliteFile file, InstantSource clock) throws SQLException {
    super(file);
    this.writing = file.writing();
    this.clock = clock;
    this.carts = new CartStore(writing);
    this.purchases = new PurchaseStore(writing);
    this.totals = new UnitTotalStore(writing);
    this.answers = new IdempotencyRecords<>(writing, PurchaseStore.ANSWERS, false);
    this.nextLine = PurchaseStore.nextLine(writing);
    this.lastNumber = PurchaseStore.lastNumber(writing);
    file.rollback();
  }

  @Override
  public Batch<OrderDecider> open() {
    return new OrderBatch();
  }

  /// The highest number of a recorded sale or return; -1 if there is none. Any thread.
  long lastNumber() {
    return lastNumber;
  }

  /// The number of purchases that were changed since the start to what the catalog has. Any thread.
  long recovered() {
    return recovered.get();
  }

  /// One transaction.
  private final class OrderBatch extends Transaction implements OrderDecider {
    private final BatchIdempotency<OrderRefusal> keys = new BatchIdempotency<>(answers, clock);
    private final Map<Long, Cart> saved = new HashMap<>();
    private final Map<CartOwner, Optional<Cart>> sessions = new LinkedHashMap<>();
    private final Set<Long> ended = new HashSet<>();
    private final Map<String, Purchase> changed = new LinkedHashMap<>();
    private final Map<String, Long> units = new LinkedHashMap<>();
    private final List<IdempotencyRecord<OrderRefusal>> replaced = new ArrayList<>();
    private long nextBatchLine = nextLine;
    private long lastInBatch = lastNumber;
    private int recoveredInBatch;

    @Override
    protected OrderDecider decider() {
      return this;
    }

    @Override
    public BatchIdempotency<OrderRefusal> keys() {
      return keys;
    }

    @Override
    public Answer<CartContents, OrderRefusal> change(OrderCommand.ChangeCart command) {
      CartContents before = RowReadException.unchecked(() -> contents(command.owner()));
      return change(command, before);
    }

    @Override
    public Answer<Integer, OrderRefusal> endSessions(OrderCommand.EndSessions command) {
      for (long id : command.sessionIds()) {
        sessions.keySet().removeIf(it -> it.sessionId() == id);
        ended.add(id);
      }
      return new Done<>(command.sessionIds().size());
    }

    @Override
    public Answer<BegunPurchase, OrderRefusal> begin(
        OrderCommand.BeginPurchase command, RequestKey key, Instant now) {
      Purchase undecided = RowReadException.unchecked(() -> undecided(key)).orElse(null);
      if (undecided != null) {
        return undecided.owner().buyerId() == command.owner().buyerId()
            ? new Done<>(new BegunPurchase.InProgress(undecided.id()))
            : new Answer.NotDecided<>(Answer.Cause.KEY_REUSED);
      }
      CartContents before = RowReadException.unchecked(() -> contents(command.owner()));
      return begin(command, key, before, now);
    }

    @Override
    public Answer<Purchase, OrderRefusal> record(OrderCommand.RecordPurchase command) {
      return RowReadException.unchecked(() -> recorded(command));
    }

    private Answer<Purchase, OrderRefusal> recorded(OrderCommand.RecordPurchase command)
        throws SQLException {
      Purchase next = command.next();
      Purchase before =
          purchase(next.id())
              .orElseThrow(() ->
                  new IllegalStateException(
                      String.format(Locale.ROOT, "purchase %s was not begun", next.id())));
      if (before.state() == next.state()
          || (before.state().isSold() && !next.state().isSold())) { // the catalog has the sale
        return new Done<>(before);
      }
      if (!before.mayBecome(next)) { // only this purchase is stuck; the driver repeats it
        log.error(
            "purchase {} is {}, it cannot become {}", next.id(), before.state(), next.state());
        return new Answer.NotDecided<>(Answer.Cause.DAMAGED);
      }
      if (before.state().holdsCart() && !next.state().holdsCart() && !next.state().isSold()) {
        put(next.owner(), contents(next.owner()).restored(next));
      }
      return new Done<>(record(before, command));
    }

    @Override
    public Answer<Integer, OrderRefusal> recover(OrderCommand.RecoverPurchases command) {
      return new Done<>(RowReadException.unchecked(() -> recover(command.sales())));
    }

    /// @return the number of recovered purchases
    private int recover(List<ItemSale> sales) throws SQLException {
      int before = recoveredInBatch;
      for (ItemSale sale : sales) {
        SaleKey key = SaleKey.parse(sale.key()).orElse(null);
        try {
          if (key != null) {
            recover(sale, key);
          }
        } catch (CorruptDataException e) { // the others go on; the audit reports the purchase
          log.error("{}", e.getMessage());
        }
      }
      return recoveredInBatch - before;
    }

    private void recover(ItemSale sale, SaleKey key) throws SQLException {
      Purchase known = purchase(key.purchaseId()).orElse(null);
      if (key.isReturn()) {
        if (known != null && known.state() == Purchase.State.SOLD) {
          recovered(known, known.to(Purchase.State.RETURNING));
        }
      } else if (known == null) {
        recoverSale(sale, null, Purchase.recovered(key, sale));
      } else if (!known.state().isSold() && known.state() != Purchase.State.AUTHORISED) {
        // an AUTHORISED purchase is being sold, and the driver records the same sale
        recoverSale(sale, known, known.recovered(sale));
        if (known.state() == Purchase.State.AUTHORISING) {
          answer(known, new Done<>(new Sold(known.cart().units(), sale.number())));
        }
      }
    }

    private void recoverSale(ItemSale sale, @Nullable Purchase before, Purchase sold)
        throws SQLException {
      if (PurchaseStore.numbered(writing, false, sale.number(), sale.number() + 1).isEmpty()) {
        recovered(before, withLines(sold));
      } // otherwise the audit reports that the number belongs to another purchase
    }

    private void recovered(@Nullable Purchase before, Purchase purchase) throws SQLException {
      put(before, purchase);
      recoveredInBatch++;
    }

    private Purchase withLines(Purchase sold) {
      Purchase recorded = sold.withFirstLine(nextBatchLine);
      nextBatchLine += sold.cart().lines().size();
      return recorded;
    }

    private Purchase record(Purchase before, OrderCommand.RecordPurchase command)
        throws SQLException {
      Purchase next = command.next();
      Refusal<Sold, OrderRefusal> refusal = command.refusal();
      Purchase recorded = next;
      if (next.state() == Purchase.State.SOLD) {
        recorded = withLines(next);
        answer(next, new Done<>(new Sold(next.cart().units(), next.soldSale().number())));
      } else if (refusal != null && before.state().holdsCart()) {
        answer(next, refusal);
      } else if (next.state() == Purchase.State.CAPTURED) {
        for (CartLine line : next.cart().lines()) {
          long seller = command.sellers().getOrDefault(line.itemId(), 0L);
          addUnits(UnitTotalStore.seller(seller), line.quantity());
        }
      }
      put(before, recorded);
      return recorded;
    }

    /// Records a purchase with what its buyer keeps. If it is undone, a repeat of its request is
    /// told so from now on.
    private void put(@Nullable Purchase before, Purchase after) throws SQLException {
      changed.put(after.id(), after);
      if (after.sale() != null) {
        lastInBatch = Math.max(lastInBatch, after.sale().number());
      }
      if (after.returnNumber() != null) {
        lastInBatch = Math.max(lastInBatch, after.returnNumber());
      }
      addUnits(
          UnitTotalStore.buyer(after.owner().buyerId()),
          keptUnits(after) - (before == null ? 0 : keptUnits(before)));
      if (after.state() == Purchase.State.RETURNING) {
        replaceAnswer(after);
      }
    }

    private static long keptUnits(Purchase purchase) {
      return purchase.state().isKept() ? purchase.cart().units() : 0;
    }

    /// A damaged total stays as it is, and the audit reports it: the purchase goes on.
    private void addUnits(String account, long added) throws SQLException {
      if (added == 0) {
        return;
      }
      try {
        Long before = units.get(account);
        units.put(
            account, (before == null ? UnitTotalStore.find(writing, account) : before) + added);
      } catch (CorruptDataException e) {
        log.error("{}", e.getMessage());
      }
    }

    /// Of a purchase that was restored from a backup, the answer may be missing. A damaged one
    /// stays as it is.
    private void replaceAnswer(Purchase undone) throws SQLException {
      try {
        IdempotencyRecord<OrderRefusal> known = keys.find(undone.key());
        if (known != null
            && known.answer() instanceof Done(Sold(_, long number), _)
            && number == undone.soldSale().number()) {
          replaced.add(new IdempotencyRecord<>(known.key(), known.hash(), UNDONE, null));
        }
      } catch (CorruptDataException e) {
        log.error("{}", e.getMessage());
      }
    }

    private void answer(Purchase purchase, Answer<Sold, OrderRefusal> answer) {
      byte[] hash = RequestHash.of(OrderCommand.BeginPurchase.values(purchase.owner()));
      keys.keep(purchase.key(), hash, answer);
    }

    private Answer<CartContents, OrderRefusal> change(
        OrderCommand.ChangeCart command, CartContents before) {
      return switch (command.change()) {
        case CartChange.Add add -> add(command.owner(), before, add);
        case CartChange.Remove(long itemId, long quantity) ->
            before.view().quantity(itemId) < quantity
                ? Refusal.because(
                    NOT_IN_CART,
                    "the cart must have at least %d units of the item, it has %d",
                    quantity,
                    before.view().quantity(itemId))
                : put(command.owner(), before.withView(before.view().minus(itemId, quantity)));
        case CartChange.AcceptPrice accept -> acceptPrice(command.owner(), before, accept);
        case CartChange.Clear _ -> put(command.owner(), before.withView(Cart.EMPTY));
        case CartChange.Save _ -> put(command.owner(), before.save());
      };
    }

    private Answer<CartContents, OrderRefusal> add(
        CartOwner owner, CartContents before, CartChange.Add add) {
      CartChange.Offer offer = add.offer();
      if (offer == null) {
        return new Refusal<>(ITEM_NOT_FOUND, "item not found");
      }
      Cart view = before.view();
      long inCart = view.quantity(add.itemId());
      if (add.quantity() > Math.min(offer.stock(), Cart.MAX_QUANTITY) - inCart) {
        return Refusal.because(
            NOT_ENOUGH,
            "quantity in the cart must be at most the %d units in stock, got %d",
            offer.stock(),
            inCart + add.quantity());
      }
      if (inCart == 0 && view.lines().size() >= Limits.MAX_LINES) {
        return Refusal.because(CART_FULL, "a cart must have at most %d lines", Limits.MAX_LINES);
      }
      long price = view.line(add.itemId()).map(CartLine::priceCents).orElse(offer.priceCents());
      var line = new CartLine(add.itemId(), offer.name(), add.quantity(), price);
      return put(owner, before.withView(view.plus(line)));
    }

    private Answer<CartContents, OrderRefusal> acceptPrice(
        CartOwner owner, CartContents before, CartChange.AcceptPrice accept) {
      CartChange.Offer offer = accept.offer();
      if (offer == null) {
        return new Refusal<>(ITEM_NOT_FOUND, "item not found");
      }
      if (before.view().line(accept.itemId()).isEmpty()) {
        return new Refusal<>(NOT_IN_CART, "the item is not in the cart");
      }
      if (offer.priceCents() != accept.priceCents()) {
        return Refusal.because(
            PRICE_CHANGED,
            "\"%s\" costs %s, expected %s",
            offer.name(),
            price(offer.priceCents()),
            price(accept.priceCents()));
      }
      return put(
          owner, before.withView(before.view().withPrice(accept.itemId(), accept.priceCents())));
    }

    private static String price(long cents) {
      return BigDecimal.valueOf(cents, 2).toPlainString();
    }

    private Answer<BegunPurchase, OrderRefusal> begin(
        OrderCommand.BeginPurchase command, RequestKey key, CartContents before, Instant now) {
      Cart cart = before.view();
      if (cart.isEmpty()) {
        return new Refusal<>(CART_EMPTY, "the cart is empty");
      }
      if (command.seen() != null && !cart.hasSameLines(command.seen())) {
        return new Refusal<>(
            CART_CHANGED, "the cart has changed since it was shown; nothing was bought");
      }
      if (cart.lines().size() > Limits.MAX_LINES) { // a purchase was put back into a filled cart
        return Refusal.because(
            CART_FULL,
            "a cart must have at most %d lines, this one has %d",
            Limits.MAX_LINES,
            cart.lines().size());
      }
      try {
        cart.totalCents();
      } catch (ArithmeticException e) {
        return Refusal.because(AMOUNT_TOO_LARGE, "total must be at most %d cents", Long.MAX_VALUE);
      }
      Purchase purchase = Purchase.begin(command.id(), command.owner(), key, before, now);
      put(command.owner(), before.withoutView());
      changed.put(purchase.id(), purchase);
      return new Done<>(new BegunPurchase.Begun(purchase));
    }

    private Answer<CartContents, OrderRefusal> put(CartOwner owner, CartContents after) {
      saved.put(owner.buyerId(), after.saved());
      sessions.put(owner, Optional.ofNullable(after.session()));
      return new Done<>(after);
    }

    private CartContents contents(CartOwner owner) throws SQLException {
      Cart ofBuyer = saved.get(owner.buyerId());
      return new CartContents(
          session(owner), ofBuyer == null ? CartStore.saved(writing, owner.buyerId()) : ofBuyer);
    }

    private @Nullable Cart session(CartOwner owner) throws SQLException {
      Optional<Cart> inBatch = sessions.get(owner);
      if (inBatch != null) {
        return inBatch.orElse(null);
      }
      return ended.contains(owner.sessionId()) ? null : CartStore.session(writing, owner);
    }

    private Optional<Purchase> purchase(String id) throws SQLException {
      Purchase inBatch = changed.get(id);
      return inBatch == null ? PurchaseStore.find(writing, id) : Optional.of(inBatch);
    }

    private Optional<Purchase> undecided(RequestKey key) throws SQLException {
      for (Purchase purchase : changed.values()) {
        if (purchase.state().holdsCart() && purchase.key().stored().equals(key.stored())) {
          return Optional.of(purchase);
        }
      }
      return PurchaseStore.undecided(writing, key).filter(it -> !changed.containsKey(it.id()));
    }

    @Override
    public void write() throws SQLException {
      for (long id : ended) {
        carts.deleteSession(id);
      }
      for (Map.Entry<Long, Cart> entry : saved.entrySet()) {
        carts.putSaved(entry.getKey(), entry.getValue());
      }
      for (Map.Entry<CartOwner, Optional<Cart>> entry : sessions.entrySet()) {
        carts.putSession(entry.getKey(), entry.getValue().orElse(null));
      }
      for (Purchase purchase : changed.values()) {
        purchases.put(purchase);
      }
      if (!changed.isEmpty()) { // deletes more than this batch adds
        purchases.deleteUnsold(clock.instant().minus(UNSOLD_RETENTION), 10 + 2 * changed.size());
      }
      for (Map.Entry<String, Long> entry : units.entrySet()) {
        totals.put(entry.getKey(), entry.getValue());
      }
      answers.write(keys.records(), clock.instant());
      for (IdempotencyRecord<OrderRefusal> answer : replaced) { // may be one of this batch
        purchases.replaceAnswer(answer);
      }
    }

    @Override
    public void publish() {
      lastNumber = lastInBatch;
      nextLine = nextBatchLine;
      recovered.addAndGet(recoveredInBatch);
    }
  }
}
