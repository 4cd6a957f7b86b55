package toystore.gatling;

import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// What a run knows of one store. Any thread.
///
/// @param shelves what clients ask for and buy
/// @param orderNumbers that the store has given
record Store(URI url, Shelves shelves, Set<Long> orderNumbers) {
  Store(URI url, Shelves shelves) {
    this(url, shelves, ConcurrentHashMap.newKeySet());
  }

  /// The number, unless the store has given it before.
  Long givenOnce(Long number) {
    if (!orderNumbers.add(number)) {
      throw new IllegalArgumentException("order number " + number + " was given twice");
    }
    return number;
  }
}
