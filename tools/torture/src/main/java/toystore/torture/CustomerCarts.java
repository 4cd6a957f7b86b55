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

  /// Bought with a card whose capture is refused.
  final List<Map<Long, Long>> returned = new ArrayList<>();

  /// The next session begins with the saved cart.
  void login() {
    view.clear();
    view.putAll(saved);
  }

  void save() {
    saved.clear();
    saved.putAll(view);
  }

  /// A purchase takes the session's cart, and the same units from the saved one.
  void purchase(boolean isReturned) {
    var taken = new TreeMap<>(view);
    taken.forEach((item, quantity) ->
        saved.computeIfPresent(item, (_, before) -> before > quantity ? before - quantity : null));
    view.clear();
    (isReturned ? returned : bought).add(taken);
  }

  static Map<Long, Long> sum(List<Map<Long, Long>> purchases) {
    var sum = new TreeMap<Long, Long>();
    purchases.forEach(lines -> lines.forEach((item, it) -> sum.merge(item, it, Long::sum)));
    return sum;
  }
}
