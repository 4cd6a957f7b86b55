package toystore.order;

import static toystore.order.Purchase.State.AUTHORISED;
import static toystore.order.Purchase.State.AUTHORISING;
import static toystore.order.Purchase.State.CAPTURED;
import static toystore.order.Purchase.State.DECLINED;
import static toystore.order.Purchase.State.RETURNED;
import static toystore.order.Purchase.State.RETURNING;
import static toystore.order.Purchase.State.SOLD;
import static toystore.order.Purchase.State.VOIDED;
import static toystore.order.Purchase.State.VOIDING;

import java.time.Instant;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import toystore.platform.idempotency.RequestKey;

/// A purchase: what is bought, what was taken out of which cart, and how far it is.
///
/// ```
/// AUTHORISING ─▶ AUTHORISED ─▶ SOLD ─▶ CAPTURED
///   │   │  │        │           └───▶ RETURNING ─▶ RETURNED
///   │   │  └────────┴─▶ VOIDING ─▶ VOIDED
///   │   └─▶ VOIDED (the authorisation was not sent)
///   └─▶ DECLINED
/// ```
///
/// If the catalog has the sale of a purchase that is unknown here or has an earlier state, because
/// the database was restored from an older backup, the purchase becomes SOLD.
///
/// @param id identifies the payment, the sale and the return, too
/// @param cart what is bought, at the prices that the buyer saw
/// @param fromSessionCart whether the session had a cart of its own
/// @param fromSaved what was taken from the saved cart
/// @param sale null until it is sold
/// @param returnNumber number of the return in series PURCHASES; null unless returned
record Purchase(
    String id,
    State state,
    CartOwner owner,
    RequestKey key,
    Cart cart,
    boolean fromSessionCart,
    Cart fromSaved,
    Instant begunAt,
    @Nullable SaleRecord sale,
    @Nullable Long returnNumber) {

  /// @param number in series PURCHASES
  /// @param firstLine id of the first line among all lines that were bought; 0 until recorded
  record SaleRecord(long number, Instant soldAt, long firstLine) {}

  /// @implNote The names are stored on disk.
  enum State {
    AUTHORISING,
    AUTHORISED,
    /// Sold, capture pending.
    SOLD,
    CAPTURED,
    DECLINED,
    VOIDING,
    VOIDED,
    /// Sold, but the money cannot be captured.
    RETURNING,
    RETURNED;

    boolean isOpen() {
      return !next().isEmpty();
    }

    /// Whether the lines are in the purchase and not in a cart, and it is not decided whether they
    /// are sold.
    boolean holdsCart() {
      return this == AUTHORISING || this == AUTHORISED;
    }

    /// Whether the buyer has the units: they are sold, and their payment is not refused.
    boolean isKept() {
      return this == SOLD || this == CAPTURED;
    }

    boolean isSold() {
      return this == SOLD || this == CAPTURED || this == RETURNING || this == RETURNED;
    }

    private Set<State> next() {
      return switch (this) {
        case AUTHORISING -> Set.of(AUTHORISED, DECLINED, VOIDING, VOIDED);
        case AUTHORISED -> Set.of(SOLD, VOIDING);
        case SOLD -> Set.of(CAPTURED, RETURNING);
        case VOIDING -> Set.of(VOIDED);
        case RETURNING -> Set.of(RETURNED);
        case CAPTURED, DECLINED, VOIDED, RETURNED -> Set.of();
      };
    }
  }

  /// Takes what a session shows.
  static Purchase begin(
      String id, CartOwner owner, RequestKey key, CartContents contents, Instant now) {
    return new Purchase(
        id,
        AUTHORISING,
        owner,
        key,
        contents.view(),
        contents.session() != null,
        contents.takenFromSaved(),
        now,
        null,
        null);
  }

  /// The purchase of a sale in the catalog. Its request's key and its cart are unknown.
  static Purchase recovered(SaleKey key, ItemSale sale) {
    return new Purchase(
            key.purchaseId(),
            AUTHORISED,
            CartOwner.withoutSession(key.buyerId()),
            key.requestKey(),
            sale.lines(),
            false,
            Cart.EMPTY,
            sale.soldAt(),
            null,
            null)
        .sold(sale.number(), sale.soldAt());
  }

  /// Whatever the state, the catalog has the sale.
  Purchase recovered(ItemSale sale) {
    return with(SOLD, new SaleRecord(sale.number(), sale.soldAt(), 0), null);
  }

  /// The next state, other than SOLD and RETURNED.
  Purchase to(State next) {
    return checked(with(next, sale, returnNumber));
  }

  Purchase sold(long number, Instant soldAt) {
    return checked(with(SOLD, new SaleRecord(number, soldAt, 0), returnNumber));
  }

  Purchase returned(long number) {
    return checked(with(RETURNED, sale, number));
  }

  /// Of a purchase that was sold.
  SaleRecord soldSale() {
    if (sale == null) {
      throw new IllegalStateException(
          String.format(Locale.ROOT, "purchase %s must be sold, its state is %s", id, state));
    }
    return sale;
  }

  Purchase withFirstLine(long firstLine) {
    SaleRecord sold = soldSale();
    return with(state, new SaleRecord(sold.number(), sold.soldAt(), firstLine), returnNumber);
  }

  boolean mayBecome(Purchase other) {
    return state.next().contains(other.state);
  }

  /// @throws IllegalStateException unless a purchase in this state may become the other one
  private Purchase checked(Purchase other) {
    if (!mayBecome(other)) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "purchase %s: after %s must come one of %s, got %s",
              id,
              state,
              state.next(),
              other.state));
    }
    return other;
  }

  private Purchase with(State itsState, @Nullable SaleRecord itsSale, @Nullable Long itsReturn) {
    return new Purchase(
        id, itsState, owner, key, cart, fromSessionCart, fromSaved, begunAt, itsSale, itsReturn);
  }
}
