package toystore.frontend.products;

/// A stock after a change.
///
/// @param replayed whether this is the stored answer for a known key
record ChangedStock(Stock stock, boolean replayed) {}
