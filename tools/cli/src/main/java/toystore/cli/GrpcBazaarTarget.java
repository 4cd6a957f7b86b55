package toystore.cli;

import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Supplier;
import toystore.bazaar.v1.LookupRequest;
import toystore.bazaar.v1.StockBazaarGrpc;
import toystore.bazaar.v1.StockBazaarGrpc.StockBazaarBlockingStub;
import toystore.bazaar.v1.TradeRequest;
import toystore.bazaar.v1.TradeType;
import toystore.bazaar.v1.UpdateRequest;
import toystore.catalog.v1.CatalogServiceGrpc;
import toystore.catalog.v1.ListProductsRequest;
import toystore.catalog.v1.Product;
import toystore.cli.ResponseCheck.Verdict;

/// The StockBazaar service over gRPC, with one connection per client.
///
/// @param at the catalog's gRPC address
record GrpcBazaarTarget(HostAndPort at) implements LoadTarget {
  private static final Duration DEADLINE = Duration.ofSeconds(10);
  private static final int MAX_PRODUCTS = 200;
  private static final int MAX_PRICE_CENTS = 10_000;

  @Override
  public List<String> products(ClosedLoopLoad.Kind kind) {
    var request = ListProductsRequest.newBuilder().setLimit(MAX_PRODUCTS).setStocksOnly(true);
    try (var connection = GrpcConnection.to(at.host(), at.port())) {
      var catalog =
          CatalogServiceGrpc.newBlockingStub(connection.channel()).withDeadlineAfter(DEADLINE);
      var names =
          catalog.listProducts(request.build()).getProductsList().stream()
              .filter(product -> !kind.needsStock() || product.getQuantity() > 0)
              .map(Product::getName)
              .toList();
      if (names.isEmpty()) {
        throw new CommandRefusal(
            String.format(
                Locale.ROOT, "%s has no stock%s", at, kind.needsStock() ? " with units left" : ""));
      }
      return names;
    } catch (StatusRuntimeException failure) {
      throw new CommandRefusal(
          String.format(
              Locale.ROOT,
              "cannot list the products at %s (%s); start a store with ./toystore up, or set --url",
              at,
              failure.getStatus().getCode()));
    }
  }

  @Override
  public Client client(ClosedLoopLoad.Kind kind) {
    if (!kind.isForStocks()) {
      throw CommandRefusal.usage(
          String.format(Locale.ROOT, "--kind for %s must be lookup, trade or update", at));
    }
    return new GrpcLoadClient(GrpcConnection.to(at.host(), at.port()), kind);
  }

  private static final class GrpcLoadClient implements Client {
    private final GrpcConnection connection;
    private final StockBazaarBlockingStub stub;
    private final ClosedLoopLoad.Kind kind;
    private final Random random = new Random();
    private boolean sellNext;

    GrpcLoadClient(GrpcConnection connection, ClosedLoopLoad.Kind kind) {
      this.connection = connection;
      this.stub = StockBazaarGrpc.newBlockingStub(connection.channel());
      this.kind = kind;
    }

    @Override
    public Supplier<Verdict> ask(String product) throws IOException {
      var now = stub.withDeadlineAfter(DEADLINE);
      try {
        return switch (kind) {
          case LOOKUP -> lookup(now, product);
          case TRADE -> trade(now, product);
          case UPDATE -> update(now, product);
          case QUERY,
              BUY,
              RATING,
              SEARCH,
              ITEMS,
              REGISTER_ITEM,
              PURCHASE,
              EXCHANGE_XML,
              EXCHANGE_REST,
              EXCHANGE_GRPC ->
              throw new IllegalStateException("client() refuses this kind: " + kind);
        };
      } catch (StatusRuntimeException failure) {
        throw new IOException(failure.getStatus().toString(), failure);
      }
    }

    private Supplier<Verdict> lookup(StockBazaarBlockingStub now, String product) {
      var answer = now.lookup(LookupRequest.newBuilder().setName(product).build());
      return () ->
          answer.getPrice() > 0
              ? new Verdict.Correct()
              : new Verdict.Wrong("price missing", answer.toString());
    }

    /// Alternately buys and sells one unit, so that the stock is not used up.
    private Supplier<Verdict> trade(StockBazaarBlockingStub now, String product) {
      var type = sellNext ? TradeType.SELL : TradeType.BUY;
      var request = TradeRequest.newBuilder().setName(product).setQuantity(1).setType(type).build();
      var answer = now.trade(request);
      sellNext = !sellNext;
      return () ->
          switch (answer.getResult()) {
            case 1 -> new Verdict.Correct();
            case 0 -> new Verdict.Refused("suspended");
            case -2 -> new Verdict.Refused("sold out");
            default -> new Verdict.Wrong("result " + answer.getResult(), answer.toString());
          };
    }

    private Supplier<Verdict> update(StockBazaarBlockingStub now, String product) {
      var price = (1 + random.nextInt(MAX_PRICE_CENTS)) / 100.0;
      var request = UpdateRequest.newBuilder().setName(product).setPrice(price).build();
      var answer = now.update(request);
      return () ->
          answer.getResult() == 1
              ? new Verdict.Correct()
              : new Verdict.Wrong("result " + answer.getResult(), request.toString());
    }

    @Override
    public void close() {
      connection.close();
    }
  }
}
