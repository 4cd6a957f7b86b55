package toystore.frontend.items;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;
import toystore.frontend.http.JsonBody;

/// The condition of an item.
public enum ItemCondition {
  NEW,
  USED;

  static ItemCondition of(JsonBody body) {
    for (ItemCondition condition : values()) {
      if (body.isText("condition", condition.word())) {
        return condition;
      }
    }
    throw body.invalid("condition", "new or used");
  }

  /// `new` or `used`.
  @JsonValue
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
