package toystore.frontend.products;

/// A version of the catalog's products.
///
/// @param epoch identifies a start of the catalog; 0: the catalog or the order service is older and
///   sent no version
/// @param sequence number of commits in the epoch; of different epochs not comparable
public record CatalogVersion(long epoch, long sequence) {}
