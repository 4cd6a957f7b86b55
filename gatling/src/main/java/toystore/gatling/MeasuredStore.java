package toystore.gatling;

import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import toystore.gatling.environment.ShippedStocks;

/// State of one store during a run. Any thread.
///
/// @param allocation chooses the products for queries and buys
/// @param orderNumbers that the store has returned
record MeasuredStore(URI url, ProductSelector allocation, Set<Long> orderNumbers) {
  MeasuredStore(URI url, ProductSelector allocation) {
    this(url, allocation, ConcurrentHashMap.newKeySet());
  }

  /// A random stock of the shipped catalog, uniformly distributed.
  String stock() {
    return ShippedStocks.any(ThreadLocalRandom.current());
  }

  /// Returns the number, or throws if the store has returned it before.
  Long givenOnce(Long number) {
    if (!orderNumbers.add(number)) {
      throw new IllegalArgumentException("order number " + number + " was returned twice");
    }
    return number;
  }
}
