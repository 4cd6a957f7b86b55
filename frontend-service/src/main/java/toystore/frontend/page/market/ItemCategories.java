package toystore.frontend.page.market;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The names of items' categories. The API and the catalog know numbers only and take every number;
/// pages show one without a name as `Category 101`.
public final class ItemCategories {
  /// The names of the numbers from 0.
  private static final List<String> NAMES =
      List.of(
          "Other",
          "Games and puzzles",
          "Plush animals",
          "Building sets",
          "Outdoor",
          "Dolls and figures",
          "Cars and trains",
          "Arts and crafts",
          "Baby and toddler",
          "Music",
          "Puppets and theatre",
          "Science and electronics");

  private ItemCategories() {}

  public static String nameOf(int number) {
    return number < NAMES.size() ? NAMES.get(number) : "Category " + number;
  }

  /// Returns the names of all numbers that have one, and of the chosen number even if it has none.
  public static Map<String, String> including(@Nullable String chosen) {
    var names = new LinkedHashMap<String, String>();
    for (int number = 0; number < NAMES.size(); number++) {
      names.put("" + number, NAMES.get(number));
    }
    if (chosen != null && !chosen.isEmpty()) {
      names.putIfAbsent(chosen, "Category " + chosen);
    }
    return names;
  }
}
