package toystore.order.domain;

import org.jspecify.annotations.Nullable;

/// @param session the session's own cart; null until the session changes something
/// @param saved the buyer's
public record CartContents(@Nullable Cart session, Cart saved) {
  /// A row.
  ///
  /// @param cart null: it is deleted
  public record SessionCart(long sessionId, long buyerId, @Nullable Cart cart) {}

  /// A row; it is deleted if the cart is empty.
  public record SavedCart(long buyerId, Cart cart) {}

  /// A session has no cart of its own if it has no row, or one of another buyer's session that had
  /// its id.
  public static CartContents of(
      CartOwner owner, @Nullable SessionCart session, @Nullable SavedCart saved) {
    return new CartContents(
        session != null && session.buyerId == owner.buyerId() ? session.cart : null,
        saved == null ? Cart.EMPTY : saved.cart);
  }

  /// What the session shows.
  public Cart view() {
    return session == null ? saved : session;
  }

  CartContents withView(Cart view) {
    return new CartContents(view, saved);
  }

  CartContents save() {
    return new CartContents(null, view());
  }

  /// Also taken out of the saved cart: another session that shows it does not find the same units
  /// again.
  CartContents withoutView() {
    return new CartContents(session == null ? null : Cart.EMPTY, saved.minus(view()));
  }

  /// What [#withoutView] takes from the saved cart.
  Cart takenFromSaved() {
    return saved.inCommon(view());
  }

  /// Puts back what a purchase took. Units that were added since then stay.
  CartContents restored(Purchase purchase) {
    Cart after = purchase.fromSaved().plus(saved);
    return session == null && !purchase.fromSessionCart()
        ? new CartContents(null, after)
        : new CartContents(purchase.cart().plus(view()), after);
  }
}
