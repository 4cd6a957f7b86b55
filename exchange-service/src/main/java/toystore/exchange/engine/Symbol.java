package toystore.exchange.engine;

/// Numbers start at 1 and have no gap.
///
/// @param name 1 to 32 ASCII letters and digits
public record Symbol(long number, String name) {}
