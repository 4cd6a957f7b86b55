package toystore.cli.load;

import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import toystore.bazaar.v1.LookupRequest;
import toystore.bazaar.v1.StockBazaarGrpc;
import toystore.bazaar.v1.TradeRequest;
import toystore.bazaar.v1.TradeResponse;
import toystore.bazaar.v1.TradeType;
import toystore.bazaar.v1.UpdateRequest;
import toystore.catalog.v1.CatalogServiceGrpc;
import toystore.catalog.v1.ListProductsRequest;
import toystore.catalog.v1.Product;
import toystore.cli.command.CommandRefusal;
import toystore.cli.launch.GrpcConnection;
import toystore.cli.load.ResponseCheck.Verdict;

/// The StockBazaar service over gRPC as a target, with one connection per client.
///
/// @param at the catalog's gRPC address
record BazaarLoad(HostAndPort at) implements LoadTarget {
  private static final Duration DEADLINE = Duration.ofSeconds(10);
  private static final int MAX_PRODUCTS = 200;
  private static final int MAX_PRICE_CENTS = 10_000;

  @Override
  public List<String> products(LoadKind kind) {
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
            "%s has no stock%s", at, kind.needsStock() ? " with units left" : "");
      }
      return names;
    } catch (StatusRuntimeException failure) {
      throw new CommandRefusal(
          "cannot list the products at %s (%s); start a store with ./toystore up, or set --url",
          at, failure.getStatus().getCode());
    }
  }

  @Override
  public Client client(LoadKind kind) {
    if (kind.area() != LoadKind.Area.STOCKS) {
      throw CommandRefusal.usage("--kind for %s must be lookup, trade or update", at);
    }
    var connection = GrpcConnection.to(at.host(), at.port());
    var stub = StockBazaarGrpc.newBlockingStub(connection.channel());
    Client client =
        switch (kind) {
          case TRADE ->
              (product, number) -> {
                var type = number % 2 == 0 ? TradeType.BUY : TradeType.SELL;
                var request =
                    TradeRequest.newBuilder().setName(product).setQuantity(1).setType(type);
                var answer = stub.withDeadlineAfter(DEADLINE).trade(request.build());
                return () -> verdict(answer);
              };
          case UPDATE ->
              (product, _) -> {
                var price = (1 + ThreadLocalRandom.current().nextInt(MAX_PRICE_CENTS)) / 100.0;
                var request = UpdateRequest.newBuilder().setName(product).setPrice(price).build();
                var result = stub.withDeadlineAfter(DEADLINE).update(request).getResult();
                return () -> Verdict.of(result == 1, "result " + result, request);
              };
          default ->
              (product, _) -> {
                var request = LookupRequest.newBuilder().setName(product).build();
                var answer = stub.withDeadlineAfter(DEADLINE).lookup(request);
                return () -> Verdict.of(answer.getPrice() > 0, "price missing", answer);
              };
        };
    return client.closing(connection::close);
  }

  private static Verdict verdict(TradeResponse answer) {
    return switch (answer.getResult()) {
      case 1 -> new Verdict.Correct();
      case 0 -> new Verdict.Refused("suspended");
      case -2 -> new Verdict.Refused("sold out");
      default -> new Verdict.Wrong("result " + answer.getResult(), answer.toString());
    };
  }
}
