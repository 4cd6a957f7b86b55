package toystore.frontend.products;

/// A product after a change.
///
/// @param replayed whether this is the stored answer for a known key
record ProductChange(ProductView product, boolean replayed) {}
