package toystore.frontend.carts;

/// The JSON view of a completed purchase.
///
/// @param itemsPurchased units of all lines
public record PurchaseConfirmation(String message, long itemsPurchased) {}
