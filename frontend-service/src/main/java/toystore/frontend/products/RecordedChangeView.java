package toystore.frontend.products;

/// A recorded change of a product.
///
/// @param time in RFC 3339 format
/// @param by who made it, and from where
public record RecordedChangeView(long number, String time, String by, ProductChangeView change) {}
