package toystore.frontend.orders;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import toystore.frontend.http.ApiException;
import toystore.frontend.http.JsonBody;
import toystore.frontend.http.ProductNameValidator;
import toystore.platform.text.Limits;

/// An order request.
///
/// @param trade direction of a trade; empty for a plain order
/// @param asList whether the request contained a list of lines
public record NewOrder(Optional<Trade> trade, List<Line> lines, boolean asList) {
  /// A buy takes units from the stock; a sell adds units to it.
  public enum Trade {
    BUY("bought"),
    SELL("sold");

    private final String done;

    Trade(String done) {
      this.done = done;
    }

    /// Parses `buy` or `sell`.
    public static Trade of(String word) {
      return Stream.of(values())
          .filter(trade -> trade.word().equals(word))
          .findFirst()
          .orElseThrow(() -> ApiException.badRequest("type must be buy or sell, got " + word));
    }

    /// `buy` or `sell`.
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /// `bought` or `sold`.
    public String done() {
      return done;
    }
  }

  record Line(String name, int quantity) {
    private static Line of(JsonBody body) {
      body.allowOnly("name", "quantity");
      return new Line(body.text("name"), body.count("quantity"));
    }
  }

  /// An order of one product.
  public static NewOrder ofSingle(String name, int quantity, Optional<Trade> trade) {
    return validate(new NewOrder(trade, List.of(new Line(name, quantity)), false));
  }

  static NewOrder of(JsonBody body) {
    body.allowOnly("name", "quantity", "lines", "type");
    boolean asList = body.has("lines");
    if (asList && (body.has("name") || body.has("quantity"))) {
      throw ApiException.badRequest("order must have either lines, or name and quantity; got both");
    }
    var lines =
        asList
            ? body.list("lines", Limits.MAX_LINES).stream().map(Line::of).toList()
            : List.of(new Line(body.text("name"), body.count("quantity")));
    return validate(new NewOrder(trade(body), lines, asList));
  }

  private static NewOrder validate(NewOrder order) {
    if (!order.lines.stream().map(Line::name).allMatch(ProductNameValidator::isValid)) {
      throw ApiException.productNotFound();
    }
    return order;
  }

  private static Optional<Trade> trade(JsonBody body) {
    if (!body.has("type")) {
      return Optional.empty();
    }
    for (Trade trade : Trade.values()) {
      if (body.hasText("type", trade.name())) {
        return Optional.of(trade);
      }
    }
    throw body.invalid("type", "buy or sell");
  }
}
