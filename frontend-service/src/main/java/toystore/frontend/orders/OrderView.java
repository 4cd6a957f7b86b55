package toystore.frontend.orders;

import static java.util.Objects.requireNonNull;

import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The JSON view of an order or trade. It never contains the buyer. It has either the fields of a
/// single line, or `lines` if the request contained a list.
///
/// @param type `buy` or `sell` for a trade; absent for a plain order
/// @param time time of the order in RFC 3339 format
public record OrderView(
    long number,
    @Nullable String type,
    @Nullable String name,
    @Nullable Long quantity,
    @Nullable BigDecimal price,
    @Nullable List<Line> lines,
    String time) {

  /// @param price unit price
  public record Line(String name, long quantity, BigDecimal price) {}

  public BigDecimal total() {
    return asLines().stream()
        .map(line -> line.price().multiply(BigDecimal.valueOf(line.quantity())))
        .reduce(BigDecimal.ZERO, BigDecimal::add);
  }

  /// The ordered products as a list, for both kinds of request.
  public List<Line> asLines() {
    return lines == null
        ? List.of(new Line(requireNonNull(name), requireNonNull(quantity), requireNonNull(price)))
        : lines;
  }
}
