package toystore.catalog.rpc;

import com.google.protobuf.util.Timestamps;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import toystore.catalog.domain.CatalogCommand;
import toystore.catalog.domain.CatalogUnitOfWork;
import toystore.catalog.domain.Product;
import toystore.catalog.domain.ProductRef;
import toystore.catalog.domain.RequestedSaleLine;
import toystore.catalog.domain.Sale;
import toystore.catalog.v1.StockTrade;
import toystore.platform.rpc.CallEnvelope;
import toystore.platform.rpc.UnaryResponses;
import toystore.platform.storage.SingleWriter;
import toystore.platform.text.Limits;

/// Converts between messages and domain, and submits commands. Any thread.
public final class CatalogMessages {
  private static final int MAX_SALES = 1_000;

  private CatalogMessages() {}

  /// Submits a command that is idempotent by its key.
  static <T, A> void changeOnce(
      StreamObserver<A> to,
      SingleWriter<CatalogUnitOfWork> writer,
      Supplier<CatalogCommand<T>> command,
      Function<T, A> response) {
    CallEnvelope call = CallEnvelope.current();
    UnaryResponses.send(
        to, () -> call.submit(writer, command.get(), call.key()).thenApply(response));
  }

  /// Submits a command whose repeat is harmless.
  static <T, A> void change(
      StreamObserver<A> to,
      SingleWriter<CatalogUnitOfWork> writer,
      Supplier<CatalogCommand<T>> command,
      Function<T, A> response) {
    CallEnvelope call = CallEnvelope.current();
    UnaryResponses.send(to, () -> call.submit(writer, command.get(), null).thenApply(response));
  }

  /// From memory.
  static <A> void answer(StreamObserver<A> to, Supplier<A> response) {
    UnaryResponses.send(to, () -> CompletableFuture.completedFuture(response.get()));
  }

  static RequestedSaleLine line(toystore.common.v1.Line line) {
    return new RequestedSaleLine(
        ProductRef.of(line.getName(), line.getProductId()),
        line.getQuantity(),
        line.hasExpectedPriceCents() ? (Long) line.getExpectedPriceCents() : null);
  }

  static void checkSalesPage(long from, int limit) {
    Limits.checkAtLeast("from", from, 0);
    Limits.check("limit", limit, 1, MAX_SALES);
  }

  static toystore.catalog.v1.Product product(Product product) {
    var message =
        toystore.catalog.v1.Product.newBuilder()
            .setProductId(product.id())
            .setName(product.name())
            .setCategory(product.category())
            .setPriceCents(product.priceCents())
            .setQuantity(product.quantity())
            .setVolume(product.volume())
            .setSuspended(product.suspended());
    if (product.maxVolume() != null) {
      message.setMaxVolume(product.maxVolume());
    }
    return message.build();
  }

  static toystore.catalog.v1.Sale sale(Sale sale) {
    var message =
        toystore.catalog.v1.Sale.newBuilder()
            .setSeries(
                switch (sale.series()) {
                  case STORE -> toystore.catalog.v1.Series.SERIES_STORE;
                  case PURCHASES -> toystore.catalog.v1.Series.SERIES_PURCHASES;
                })
            .setNumber(sale.number())
            .setKey(sale.key())
            .setKind(kind(sale))
            .setAsList(sale.asList())
            .setSoldAt(Timestamps.fromMillis(sale.soldAt().toEpochMilli()));
    for (Sale.SaleLine line : sale.lines()) {
      message.addLines(
          toystore.catalog.v1.SaleLine.newBuilder()
              .setProductId(line.productId())
              .setName(line.name())
              .setQuantity(line.quantity())
              .setPriceCents(line.priceCents()));
    }
    return message.build();
  }

  private static toystore.common.v1.SaleKind kind(Sale sale) {
    return switch (sale.kind()) {
      case ORDER -> toystore.common.v1.SaleKind.SALE_KIND_ORDER;
      case BUY -> toystore.common.v1.SaleKind.SALE_KIND_BUY;
      case SELL -> toystore.common.v1.SaleKind.SALE_KIND_SELL;
      case RETURN -> toystore.common.v1.SaleKind.SALE_KIND_RETURN;
    };
  }

  static StockTrade stockTrade(Sale sale, Sale.SaleLine line) {
    return StockTrade.newBuilder()
        .setNumber(sale.number())
        .setKind(kind(sale))
        .setQuantity(line.quantity())
        .setPriceCents(line.priceCents())
        .setTradedAt(Timestamps.fromMillis(sale.soldAt().toEpochMilli()))
        .build();
  }

  static int limit(int limit) {
    Limits.check("limit", limit, 0, Limits.MAX_PAGE);
    return limit == 0 ? Limits.DEFAULT_PAGE : limit;
  }
}
