package toystore.frontend.products;

import java.util.Arrays;

/// Whether a query may be answered from the [ProductCache].
enum CachePolicy {
  CACHED,
  NO_CACHE;

  /// @param cacheControl the request's header `Cache-Control`; empty: none
  static CachePolicy of(String cacheControl) {
    return Arrays.stream(cacheControl.split(",", -1))
            .anyMatch(directive -> directive.strip().equalsIgnoreCase("no-cache"))
        ? NO_CACHE
        : CACHED;
  }
}
