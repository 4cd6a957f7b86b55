package toystore.frontend.products;

/// A recorded change of a product, or automatic restocks that follow each other.
///
/// @param time in RFC 3339 format
/// @param by who made it, and from where
/// @param restocks the number of restocks, of which this is the latest; 0: another change
/// @param firstTime time of the first restock
public record RecordedChangeView(
    long number,
    String time,
    String by,
    ProductChangeView change,
    int restocks,
    String firstTime) {}
