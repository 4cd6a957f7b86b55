package toystore.frontend.orders;

/// The number of a placed order.
///
/// @param number number in the sequence that orders and trades share
/// @param replayed whether this is the stored answer to an earlier request with the same key
public record OrderConfirmation(long number, boolean replayed) {}
