package toystore.torture.network;

import java.util.List;
import java.util.stream.IntStream;

/// Products that may be ordered together. No order contains products of two groups, so that the
/// history of each group can be checked separately.
///
/// @param stock of each product at the start
record ProductGroup(String name, List<String> products, int stock) {
  static List<ProductGroup> some(int count, int stock) {
    return IntStream.range(0, count)
        .mapToObj(i -> Character.toString('A' + i))
        .map(name -> new ProductGroup(name, List.of(name + "-ball", name + "-kite"), stock))
        .toList();
  }
}
