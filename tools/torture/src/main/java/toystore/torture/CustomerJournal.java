package toystore.torture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import toystore.torture.CustomerCarts.Change;

/// A file of the changes that were acknowledged to customers, a line each: name, change, and for an
/// addition to the cart item and quantity. Each line is synced. Any thread.
final class CustomerJournal {
  private final Path file;

  CustomerJournal(Path folder) throws IOException {
    file = Files.createTempFile(folder, "customers-", ".txt");
  }

  /// @param added item and quantity; empty for other changes
  synchronized void append(String customer, Change change, Map<Long, Long> added)
      throws IOException {
    var line = new StringBuilder(customer + " " + change);
    added.forEach(
        (item, quantity) -> line.append(String.format(Locale.ROOT, " %d %d", item, quantity)));
    Files.writeString(file, line + "\n", StandardOpenOption.APPEND, StandardOpenOption.DSYNC);
  }

  /// What each customer must find.
  Map<String, CustomerCarts> read() throws IOException {
    Map<String, CustomerCarts> all = new TreeMap<>();
    for (String line : Files.readAllLines(file)) {
      String[] words = line.split(" ");
      all.computeIfAbsent(words[0], _ -> new CustomerCarts())
          .apply(
              Change.valueOf(words[1]),
              words.length == 2
                  ? Map.of()
                  : Map.of(Long.valueOf(words[2]), Long.valueOf(words[3])));
    }
    return all;
  }
}
