package toystore.cli.load;

import static toystore.common.RootLocale.format;

import java.net.URI;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;
import toystore.cli.command.CommandRefusal;

/// The kind of requests to send.
public enum LoadKind {
  QUERY(Area.STORE),
  BUY(Area.STORE),
  LOOKUP(Area.STOCKS),
  TRADE(Area.STOCKS),
  UPDATE(Area.STOCKS),
  RATING(Area.MARKETPLACE),
  SEARCH(Area.MARKETPLACE),
  ITEMS(Area.MARKETPLACE),
  REGISTER_ITEM(Area.MARKETPLACE),
  PURCHASE(Area.MARKETPLACE),
  EXCHANGE_XML(Area.EXCHANGE),
  EXCHANGE_REST(Area.EXCHANGE),
  EXCHANGE_GRPC(Area.EXCHANGE);

  /// What the requests are for.
  enum Area {
    STORE,
    STOCKS,
    MARKETPLACE,
    EXCHANGE
  }

  private final Area area;

  LoadKind(Area area) {
    this.area = area;
  }

  Area area() {
    return area;
  }

  /// The kind of requests to send for the warm-up; it changes no data, except that of accounts
  /// which belong to the load.
  LoadKind warmUp() {
    return switch (this) {
      case BUY -> QUERY;
      case TRADE, UPDATE -> LOOKUP;
      case REGISTER_ITEM -> ITEMS;
      case PURCHASE -> SEARCH;
      default -> this;
    };
  }

  /// Whether the products must be in stock.
  boolean needsStock() {
    return this == BUY || this == TRADE;
  }

  /// Its name in the scenario of the store.
  String inScenario() {
    return switch (this) {
      case SEARCH -> "search-item";
      case ITEMS -> "own-items";
      case EXCHANGE_XML -> "order-xml";
      default -> toString();
    };
  }

  /// Whether the requests name products or stocks.
  boolean isOfProducts() {
    return area == Area.STORE || area == Area.STOCKS;
  }

  /// What the store lists for it.
  String listed() {
    return area == Area.STORE ? "product" : "stock";
  }

  /// The scheme that its URL must have.
  String scheme(String url) {
    return switch (this) {
      case EXCHANGE_XML -> "xml";
      case EXCHANGE_GRPC -> "grpc";
      default ->
          Stream.of("grpc", "line")
              .filter(it -> isOfProducts() && url.startsWith(it + ":"))
              .findFirst()
              .orElse("http");
    };
  }

  /// @throws CommandRefusal if this protocol has no such request
  void requireSupport(URI url) {
    String scheme = url.getScheme();
    if (this == UPDATE && scheme.startsWith("http")) {
      throw CommandRefusal.usage(
          "--kind update requires the catalog's gRPC port: --url grpc://HOST:PORT");
    }
    if (area == Area.STORE && scheme.equals("grpc")) {
      throw CommandRefusal.usage("--kind for %s must be lookup, trade or update", url);
    }
    if (this != LOOKUP && scheme.equals("line")) {
      throw CommandRefusal.usage("--kind for %s must be lookup", url);
    }
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /// Finds a kind by its name, also without its `exchange-`.
  static final class Converter implements ITypeConverter<LoadKind> {
    @Override
    public LoadKind convert(String name) {
      return Stream.of(values())
          .filter(it ->
              it.toString().equalsIgnoreCase(name)
                  || it.toString().equalsIgnoreCase("exchange-" + name))
          .findFirst()
          .orElseThrow(() ->
              new TypeConversionException(
                  format("expected one of %s; got %s", Arrays.toString(values()), name)));
    }
  }
}
