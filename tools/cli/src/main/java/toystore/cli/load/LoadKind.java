package toystore.cli.load;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// The kind of requests to send.
enum LoadKind {
  QUERY(Area.STORE),
  BUY(Area.STORE, QUERY),
  LOOKUP(Area.STOCKS),
  TRADE(Area.STOCKS, LOOKUP),
  UPDATE(Area.STOCKS, LOOKUP),
  RATING(Area.MARKETPLACE),
  SEARCH(Area.MARKETPLACE),
  ITEMS(Area.MARKETPLACE),
  REGISTER_ITEM(Area.MARKETPLACE, ITEMS),
  PURCHASE(Area.MARKETPLACE, SEARCH),
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
  private final LoadKind warmUp;

  LoadKind(Area area) {
    this.area = area;
    this.warmUp = this;
  }

  LoadKind(Area area, LoadKind warmUp) {
    this.area = area;
    this.warmUp = warmUp;
  }

  Area area() {
    return area;
  }

  /// The kind of requests to send for the warm-up; it changes no data, except that of accounts
  /// which belong to the load.
  LoadKind warmUp() {
    return warmUp;
  }

  /// Whether the products must be in stock.
  boolean needsStock() {
    return this == BUY || this == TRADE;
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
                  String.format(
                      Locale.ROOT, "expected one of %s; got %s", Arrays.toString(values()), name)));
    }
  }
}
