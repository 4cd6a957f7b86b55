package toystore.frontend.products;

import toystore.common.v1.Version;

/// A version of the catalog's products.
///
/// @param epoch identifies a start of the catalog; 0: the catalog or the order service is older and
///   sent no version
/// @param sequence number of commits in the epoch; of different epochs not comparable
public record CatalogVersion(long epoch, long sequence) {
  public static CatalogVersion of(Version version) {
    return new CatalogVersion(version.getEpoch(), version.getSequence());
  }
}
