package toystore.frontend.orders;

import com.fasterxml.jackson.annotation.JsonCreator;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import toystore.frontend.http.error.ApiException;
import toystore.frontend.http.json.Expected;
import toystore.frontend.http.json.OptionalField;
import toystore.frontend.http.money.Decimal;
import toystore.platform.text.Limits;

/// An order request: either lines, or the name and quantity of the only line.
///
/// @param price expected price of one unit; null: the current price
/// @param lines the ordered products, also if there is one only
/// @param type direction of a trade; null for a plain order
public record NewOrder(
    @OptionalField @Size(min = 1, message = Expected.TEXT) @Nullable String name,
    @OptionalField @Min(value = 1, message = Expected.COUNT) @Nullable Integer quantity,
    @OptionalField @Decimal(optional = true) @Nullable BigDecimal price,
    @OptionalField
        @Size(
            min = 1,
            max = Limits.MAX_LINES,
            message = "must be an array of {min} to {max} objects")
        List<@Valid Line> lines,
    @OptionalField @Nullable Trade type) {

  @SuppressWarnings("NullAway") // a line without a name or a quantity is not valid
  public NewOrder {
    if (lines == null) {
      lines = List.of(new Line(name, quantity, price));
    } else if (name != null || quantity != null || price != null) {
      throw ApiException.badRequest("order must have either lines, or name and quantity; got both");
    }
  }

  @SuppressWarnings("NullAway") // the lines are made of the others
  public static NewOrder of(
      String name, int quantity, @Nullable BigDecimal price, @Nullable Trade type) {
    return new NewOrder(name, quantity, price, null, type);
  }

  public static NewOrder of(List<Line> lines) {
    return new NewOrder(null, null, null, lines, null);
  }

  boolean asList() {
    return name == null;
  }

  public record Line(
      @NotEmpty(message = Expected.TEXT) String name,
      @NotNull(message = Expected.COUNT) @Min(value = 1, message = Expected.COUNT) Integer quantity,
      @OptionalField @Decimal(optional = true) @Nullable BigDecimal price) {}

  /// A buy takes units from the stock; a sell adds units to it.
  public enum Trade {
    BUY("bought"),
    SELL("sold");

    private final String done;

    Trade(String done) {
      this.done = done;
    }

    /// Parses `buy` or `sell`, in any letter case.
    @JsonCreator
    public static Trade of(String word) {
      return Stream.of(values())
          .filter(trade -> trade.word().equalsIgnoreCase(word))
          .findFirst()
          .orElseThrow(() -> new IllegalArgumentException(word));
    }

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    public String done() {
      return done;
    }
  }
}
