package toystore.torture.network;

import java.util.List;
import java.util.stream.IntStream;

/// Toys that may be ordered together; no order asks for toys of two shelves, so that the history of
/// each can be checked by itself.
///
/// @param stock of each toy at the start
record Shelf(String name, List<String> toys, int stock) {
  static List<Shelf> some(int count, int stock) {
    return IntStream.range(0, count)
        .mapToObj(i -> Character.toString('A' + i))
        .map(name -> new Shelf(name, List.of(name + "-ball", name + "-kite"), stock))
        .toList();
  }
}
