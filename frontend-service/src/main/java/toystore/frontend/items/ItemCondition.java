package toystore.frontend.items;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;
import java.util.stream.Stream;

/// The condition of an item.
public enum ItemCondition {
  NEW,
  USED;

  @JsonCreator
  public static ItemCondition of(String word) {
    return Stream.of(values())
        .filter(it -> it.word().equals(word))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(word));
  }

  @JsonValue
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
