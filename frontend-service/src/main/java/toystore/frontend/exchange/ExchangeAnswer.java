package toystore.frontend.exchange;

/// The answer of the exchange to a command with an idempotency key.
///
/// @param replayed whether this is the stored answer of a known key
public record ExchangeAnswer<T>(T view, boolean replayed) {}
