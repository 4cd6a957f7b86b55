package toystore.frontend.products;

/// What changes a product.
///
/// @param differences in words, such as `price 12.00 → 13.00`
public record ProductChangeView(String name, String differences) {}
