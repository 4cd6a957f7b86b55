package toystore.order.domain;

import static toystore.common.RootLocale.format;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import toystore.platform.journal.RequestKey;

/// A purchase: what is bought, what was taken out of which cart, and how far it is.
///
/// ```
/// AUTHORISING ─▶ SOLD ─▶ CAPTURED
///   │  │  │       └───▶ RETURNING ─▶ RETURNED
///   │  │  └─▶ VOIDING ─▶ VOIDED
///   │  └─▶ VOIDED (the authorisation was not sent)
///   └─▶ DECLINED
/// ```
///
/// After a restore, a purchase whose sale the catalog has becomes SOLD from every earlier state.
///
/// @param id identifies the payment, the sale and the return, too
/// @param cart at the prices that the buyer saw
/// @param fromSessionCart whether the session had a cart of its own
/// @param fromSaved what was taken from the saved cart
/// @param sale null until it is sold
/// @param returnNumber in series PURCHASES; null unless returned
public record Purchase(
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
  /// @param firstLine id of the first line among all that were bought; 0 until recorded
  public record SaleRecord(long number, Instant soldAt, long firstLine) {}

  /// @param id orders the lines by the time of their commit
  public record PurchasedLine(
      long id, long buyerId, CartLine line, Instant soldAt, boolean returned) {}

  /// @implNote The names are stored on disk.
  public enum State {
    /// The lines are in no cart, and it is not decided whether they are sold.
    AUTHORISING,
    /// Sold, capture pending.
    SOLD,
    CAPTURED,
    DECLINED,
    VOIDING,
    VOIDED,
    /// Sold, but the money cannot be captured.
    RETURNING,
    RETURNED;

    public boolean isOpen() {
      return !next().isEmpty();
    }

    public boolean isSold() {
      return this == SOLD || this == CAPTURED || this == RETURNING || this == RETURNED;
    }

    public boolean isUndone() {
      return this == RETURNING || this == RETURNED;
    }

    private Set<State> next() {
      return switch (this) {
        case AUTHORISING -> Set.of(SOLD, DECLINED, VOIDING, VOIDED);
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
        State.AUTHORISING,
        owner,
        key,
        contents.view(),
        contents.session() != null,
        contents.takenFromSaved(),
        now,
        null,
        null);
  }

  /// Of a sale in the catalog; its request's key and its cart are unknown.
  static Purchase recovered(SaleKey key, ItemSale sale) {
    return new Purchase(
            key.purchaseId(),
            State.AUTHORISING,
            CartOwner.withoutSession(key.buyerId()),
            key.requestKey(),
            sale.lines(),
            false,
            Cart.EMPTY,
            sale.soldAt(),
            null,
            null)
        .sold(sale);
  }

  /// Not to SOLD or RETURNED.
  public Purchase to(State next) {
    return with(next, sale, returnNumber);
  }

  public Purchase sold(ItemSale itsSale) {
    return with(State.SOLD, new SaleRecord(itsSale.number(), itsSale.soldAt(), 0), null);
  }

  public Purchase returned(long number) {
    return with(State.RETURNED, sale, number);
  }

  /// Of a purchase that was sold.
  public SaleRecord soldSale() {
    if (sale == null) {
      throw new IllegalStateException(
          format("purchase %s must be sold, its state is %s", id, state));
    }
    return sale;
  }

  List<PurchasedLine> lines() {
    SaleRecord sold = soldSale();
    var lines = new ArrayList<PurchasedLine>();
    for (CartLine line : cart.lines()) {
      lines.add(
          new PurchasedLine(
              sold.firstLine() + lines.size(),
              owner.buyerId(),
              line,
              sold.soldAt(),
              state.isUndone()));
    }
    return lines;
  }

  boolean hasNumber(long number) {
    return Objects.equals(number(false), number) || Objects.equals(number(true), number);
  }

  /// @return null if it has none
  public @Nullable Long number(boolean ofReturn) {
    if (ofReturn) {
      return returnNumber;
    }
    return sale == null ? null : (Long) sale.number();
  }

  /// -1 if it has none.
  public long lastNumber() {
    if (returnNumber != null) {
      return returnNumber;
    }
    return sale == null ? -1 : sale.number();
  }

  /// What the buyer has.
  long keptUnits() {
    return state.isSold() && !state.isUndone() ? cart.units() : 0;
  }

  Purchase withFirstLine(long firstLine) {
    SaleRecord sold = soldSale();
    return with(state, new SaleRecord(sold.number(), sold.soldAt(), firstLine), returnNumber);
  }

  boolean mayBecome(Purchase other) {
    return state.next().contains(other.state);
  }

  private Purchase with(State itsState, @Nullable SaleRecord itsSale, @Nullable Long itsReturn) {
    return new Purchase(
        id, itsState, owner, key, cart, fromSessionCart, fromSaved, begunAt, itsSale, itsReturn);
  }
}
