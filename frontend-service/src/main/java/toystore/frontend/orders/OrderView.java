package toystore.frontend.orders;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An order or a trade as JSON shows it: what was sold, never to whom. It bears either a line's own
/// fields or, where it was ordered so, a list of lines.
///
/// @param type `buy` or `sell` for a trade; absent: a plain order
/// @param time when it was placed, as in RFC 3339
@JsonInclude(JsonInclude.Include.NON_NULL)
public record OrderView(
    long number,
    @Nullable String type,
    @Nullable String name,
    @Nullable Long quantity,
    @Nullable BigDecimal price,
    @Nullable List<Line> lines,
    String time) {

  /// @param price of one
  public record Line(String name, long quantity, BigDecimal price) {}

  static OrderView of(long number, @Nullable String type, Line line, String time) {
    return new OrderView(number, type, line.name, line.quantity, line.price, null, time);
  }

  static OrderView of(long number, @Nullable String type, List<Line> lines, String time) {
    return new OrderView(number, type, null, null, null, lines, time);
  }

  /// What was ordered, however it was asked for.
  public List<Line> asLines() {
    return lines == null
        ? List.of(new Line(requireNonNull(name), requireNonNull(quantity), requireNonNull(price)))
        : lines;
  }
}
