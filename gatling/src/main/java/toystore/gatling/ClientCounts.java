package toystore.gatling;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/// The numbers of concurrent clients, in the order of the experiment.
///
/// @param each at least one number, each from 1 to 1,000
public record ClientCounts(List<Integer> each) {
  private static final int MOST = 1_000;

  public ClientCounts {
    if (each.isEmpty()) {
      throw new IllegalArgumentException("clients: expected at least one number, found none");
    }
    for (int clients : each) {
      if (clients < 1 || clients > MOST) {
        throw new IllegalArgumentException(
            "clients: expected 1 to %,d, found %d".formatted(MOST, clients));
      }
    }
    if (new HashSet<>(each).size() < each.size()) {
      throw new IllegalArgumentException("clients: expected distinct numbers, found " + each);
    }
    each = List.copyOf(each);
  }

  /// Reads `3`, `1,2,5`, `1-5` or a mix of them such as `1-3,8`.
  ///
  /// @throws IllegalArgumentException if a part is neither a number nor an ascending range; the
  ///   message contains the part
  public static ClientCounts parse(String text) {
    var counts = new ArrayList<Integer>();
    for (String part : text.split(",", -1)) {
      addRange(part.strip(), counts);
    }
    return new ClientCounts(counts);
  }

  private static void addRange(String part, List<Integer> counts) {
    int dash = part.indexOf('-');
    int first = number(dash < 0 ? part : part.substring(0, dash), part);
    int last = dash < 0 ? first : number(part.substring(dash + 1), part);
    if (first > last) {
      throw malformed(part);
    }
    for (int clients = first; clients <= last && clients <= MOST + 1; clients++) {
      counts.add(clients);
    }
  }

  private static int number(String digits, String part) {
    try {
      return Integer.parseInt(digits.strip());
    } catch (NumberFormatException e) {
      throw malformed(part);
    }
  }

  private static IllegalArgumentException malformed(String part) {
    return new IllegalArgumentException(
        "clients: expected numbers such as 3, 1,2,5 or 1-5, found '" + part + "'");
  }

  int sum() {
    return each.stream().mapToInt(Integer::intValue).sum();
  }
}
