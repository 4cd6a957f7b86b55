package toystore.frontend.products;

/// The state of a product after a change.
///
/// @param replayed whether this is the stored answer to an earlier request with the same key
record ProductChangeResult(ProductView product, boolean replayed) {}
