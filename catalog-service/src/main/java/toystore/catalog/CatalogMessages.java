package toystore.catalog;

import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
import io.grpc.Context;
import java.time.Instant;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import toystore.common.v1.IdempotencyKey;
import toystore.common.v1.Version;
import toystore.platform.idempotency.RequestKey;
import toystore.platform.rpc.RpcError;
import toystore.platform.storage.SingleWriter;
import toystore.platform.telemetry.WriterSpans;

/// Converts between the messages of the catalog's gRPC services and its domain, and submits
/// commands for them. Any thread.
final class CatalogMessages {
  private static final int DEFAULT_PAGE = 50;
  private static final int MAX_PAGE = 200;
  private static final int MAX_SALES = 1_000;

  private CatalogMessages() {}

  /// Submits a command in the gRPC context of the current call.
  ///
  /// @param key null if a repeat is harmless
  /// @param decideBy null: none
  /// @param result what the command gives unless it is refused
  static <R extends CommandResult> CompletionStage<R> submit(
      SingleWriter<PendingCommand, CommandResult> writer,
      Command command,
      @Nullable IdempotencyKey key,
      @Nullable Timestamp decideBy,
      Class<R> result) {
    Context caller = Context.current();
    var pending =
        new PendingCommand(
            command,
            key == null
                ? null
                : new RequestKey(key.getScope(), key.getValue(), key.getClientMade()),
            decideBy == null ? null : instant(decideBy),
            caller::isCancelled);
    return writer
        .submit(pending, WriterSpans.of(caller))
        .thenApply(answer -> {
          if (answer instanceof Refused refused) {
            throw rpcError(refused);
          }
          return result.cast(answer);
        });
  }

  static RequestedSaleLine line(toystore.common.v1.Line line) {
    return new RequestedSaleLine(
        ProductRef.of(line.getName(), line.getProductId()),
        line.getQuantity(),
        line.hasExpectedPriceCents() ? (Long) line.getExpectedPriceCents() : null);
  }

  /// The version of an answer to a change. The writer publishes before it answers, so the published
  /// version contains the change, also that of a repeat.
  static Version version(Catalog catalog) {
    return version(catalog.epoch(), catalog.sequence());
  }

  static Version version(long epoch, long sequence) {
    return Version.newBuilder().setEpoch(epoch).setSequence(sequence).build();
  }

  static void checkSalesPage(long from, int limit) {
    ProductSpec.check("from", from, 0, Long.MAX_VALUE);
    ProductSpec.check("limit", limit, 1, MAX_SALES);
  }

  static RuntimeException rpcError(Refused refused) {
    return new RpcError(refused.reason().error(), refused.message(), refused.replayed())
        .toException();
  }

  private static Instant instant(Timestamp time) {
    if (!Timestamps.isValid(time)) {
      throw new IllegalArgumentException("decide_by must be a valid timestamp, got " + time);
    }
    return Instant.ofEpochSecond(time.getSeconds(), time.getNanos());
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
            .setKind(
                switch (sale.kind()) {
                  case ORDER -> toystore.common.v1.SaleKind.SALE_KIND_ORDER;
                  case BUY -> toystore.common.v1.SaleKind.SALE_KIND_BUY;
                  case SELL -> toystore.common.v1.SaleKind.SALE_KIND_SELL;
                  case RETURN -> toystore.common.v1.SaleKind.SALE_KIND_RETURN;
                })
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

  static int limit(int limit) {
    ProductSpec.check("limit", limit, 0, MAX_PAGE);
    return limit == 0 ? DEFAULT_PAGE : limit;
  }
}
