package toystore.frontend.orders;

import java.util.List;
import java.util.Optional;
import toystore.frontend.http.ApiError;
import toystore.frontend.http.JsonBody;
import toystore.frontend.http.ProductName;

/// What a customer wants.
///
/// @param trade which way it goes where it is a trade; absent: a plain order
/// @param asList whether it was ordered as a list of lines
public record NewOrder(Optional<Trade> trade, List<Line> lines, boolean asList) {
  private static final int MAX_LINES = 50;

  /// A trade takes from the stock or adds to it.
  enum Trade {
    BUY,
    SELL
  }

  record Line(String name, int quantity) {
    private static Line of(JsonBody fields) {
      return new Line(fields.text("name"), fields.count("quantity"));
    }
  }

  /// One of a toy.
  public static NewOrder ofOne(String name) {
    return checked(new NewOrder(Optional.empty(), List.of(new Line(name, 1)), false));
  }

  static NewOrder of(JsonBody fields) {
    boolean asList = fields.has("lines");
    if (asList && (fields.has("name") || fields.has("quantity"))) {
      throw ApiError.badRequest("order must have either lines, or name and quantity; got both");
    }
    var lines =
        asList
            ? fields.list("lines", MAX_LINES).stream().map(Line::of).toList()
            : List.of(Line.of(fields));
    return checked(new NewOrder(trade(fields), lines, asList));
  }

  private static NewOrder checked(NewOrder order) {
    if (!order.lines.stream().map(Line::name).allMatch(ProductName::isPossible)) {
      throw ApiError.notFound("product");
    }
    return order;
  }

  private static Optional<Trade> trade(JsonBody fields) {
    if (!fields.has("type")) {
      return Optional.empty();
    }
    for (Trade trade : Trade.values()) {
      if (fields.says("type", trade.name())) {
        return Optional.of(trade);
      }
    }
    throw fields.wanted("type", "buy or sell");
  }
}
