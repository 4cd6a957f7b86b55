package toystore.gatling;

import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import toystore.gatling.environment.Stocks;

/// What a run knows of one store. Any thread.
///
/// @param allocation what clients ask for and buy
/// @param orderNumbers that the store has given
record MeasuredStore(URI url, StockAllocation allocation, Set<Long> orderNumbers) {
  MeasuredStore(URI url, StockAllocation allocation) {
    this(url, allocation, ConcurrentHashMap.newKeySet());
  }

  /// A stock to look up or trade, spread evenly over those that are shipped.
  String stock() {
    return Stocks.any(ThreadLocalRandom.current());
  }

  /// The number, unless the store has given it before.
  Long givenOnce(Long number) {
    if (!orderNumbers.add(number)) {
      throw new IllegalArgumentException("order number " + number + " was returned twice");
    }
    return number;
  }
}
