package toystore.frontend.carts;

import java.util.List;

/// The JSON view of a cart after a change.
record ChangedCartView(String message, List<CartView.Line> cart) {}
