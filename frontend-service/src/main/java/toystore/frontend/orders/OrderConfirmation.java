package toystore.frontend.orders;

/// What a customer is told of an order that was placed.
///
/// @param number in the one series that orders and trades share
/// @param replayed whether this is the stored answer for a known key
public record OrderConfirmation(long number, boolean replayed) {}
