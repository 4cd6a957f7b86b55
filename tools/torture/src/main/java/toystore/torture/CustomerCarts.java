package toystore.torture;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// What a customer of the marketplace must find: the result of the changes that were acknowledged.
/// Quantities by item. One thread.
final class CustomerCarts {
  final Map<Long, Long> view = new TreeMap<>();
  final Map<Long, Long> saved = new TreeMap<>();
  final List<Map<Long, Long>> bought = new ArrayList<>();
  final List<Map<Long, Long>> returned = new ArrayList<>();

  /// An acknowledged change of a customer.
  enum Change {
    REGISTERED,
    LOGGED_IN,
    ADDED,
    SAVED,
    CLEARED,
    BOUGHT,
    /// Bought with a card whose capture is refused.
    RETURNED
  }

  /// @param added item and quantity; empty for other changes
  void apply(Change change, Map<Long, Long> added) {
    switch (change) {
      case REGISTERED -> {}
      case LOGGED_IN -> replace(view, saved);
      case ADDED -> added.forEach((item, quantity) -> view.merge(item, quantity, Long::sum));
      case SAVED -> replace(saved, view);
      case CLEARED -> view.clear();
      case BOUGHT -> bought.add(take());
      case RETURNED -> returned.add(take());
    }
  }

  /// A purchase takes the session's cart, and the same units from the saved one.
  private Map<Long, Long> take() {
    var taken = new TreeMap<>(view);
    taken.forEach((item, quantity) ->
        saved.computeIfPresent(item, (_, before) -> before > quantity ? before - quantity : null));
    view.clear();
    return taken;
  }

  private static void replace(Map<Long, Long> old, Map<Long, Long> now) {
    old.clear();
    old.putAll(now);
  }

  static Map<Long, Long> sum(List<Map<Long, Long>> purchases) {
    var sum = new TreeMap<Long, Long>();
    purchases.forEach(lines -> lines.forEach((item, it) -> sum.merge(item, it, Long::sum)));
    return sum;
  }
}
