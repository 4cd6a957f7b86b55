package toystore.catalog.rpc;

import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.impl.TimeBasedEpochGenerator;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Component;
import toystore.bazaar.v1.LookupRequest;
import toystore.bazaar.v1.LookupResponse;
import toystore.bazaar.v1.StockBazaarGrpc;
import toystore.bazaar.v1.TradeRequest;
import toystore.bazaar.v1.TradeResponse;
import toystore.bazaar.v1.TradeType;
import toystore.bazaar.v1.UpdateRequest;
import toystore.bazaar.v1.UpdateResponse;
import toystore.catalog.domain.BazaarPrices;
import toystore.catalog.domain.Catalog;
import toystore.catalog.domain.CatalogCommand;
import toystore.catalog.domain.CatalogUnitOfWork;
import toystore.catalog.domain.Product;
import toystore.catalog.domain.ProductRef;
import toystore.catalog.domain.RequestedSaleLine;
import toystore.catalog.domain.Sale;
import toystore.catalog.domain.SaleKind;
import toystore.catalog.domain.SaleSeries;
import toystore.platform.error.ErrorReason;
import toystore.platform.journal.Answer;
import toystore.platform.journal.RequestKey;
import toystore.platform.rpc.CallEnvelope;
import toystore.platform.rpc.CommonMessages;
import toystore.platform.rpc.UnaryResponses;
import toystore.platform.storage.SingleWriter;

/// `toystore.bazaar.v1.StockBazaar`, on the store's products, writer and sale numbers. Never
/// blocks.
@Component
final class BazaarRpc extends StockBazaarGrpc.StockBazaarImplBase {
  private static final int DONE = 1;
  private static final int SUSPENDED = 0;
  private static final int UNKNOWN = -1;
  private static final int INSUFFICIENT_STOCK = -2;
  private static final int INVALID_PRICE = -2;

  /// The results of refused trades. Other refusals are errors.
  private static final Map<ErrorReason, Integer> REFUSED =
      Map.of(
          ErrorReason.SUSPENDED, SUSPENDED,
          ErrorReason.PRODUCT_NOT_FOUND, UNKNOWN,
          ErrorReason.NOT_A_STOCK, UNKNOWN,
          ErrorReason.OUT_OF_STOCK, INSUFFICIENT_STOCK);

  private static final String SCOPE = "StockBazaar/Trade";
  private static final TimeBasedEpochGenerator KEY_GENERATOR = Generators.timeBasedEpochGenerator();

  private final Catalog catalog;
  private final SingleWriter<CatalogUnitOfWork> writer;

  BazaarRpc(Catalog catalog, SingleWriter<CatalogUnitOfWork> writer) {
    this.catalog = catalog;
    this.writer = writer;
  }

  @Override
  public void lookup(LookupRequest request, StreamObserver<LookupResponse> answer) {
    Product stock = catalog.findStock(request.getName());
    CatalogMessages.answer(
        answer,
        () ->
            stock == null
                ? LookupResponse.newBuilder().setPrice(UNKNOWN).build()
                : LookupResponse.newBuilder()
                    .setPrice(BazaarPrices.toUnits(stock.priceCents()))
                    .setVolume(stock.volume())
                    .setSuspended(stock.suspended())
                    .build());
  }

  @Override
  public void trade(TradeRequest request, StreamObserver<TradeResponse> answer) {
    UnaryResponses.send(
        answer,
        () -> {
          var line = new RequestedSaleLine(request.getName(), request.getQuantity());
          var sell =
              new CatalogCommand.Sell(
                  SaleSeries.STORE, kind(request.getType()), false, List.of(line));
          RequestKey key = key(request.getKey());
          return CallEnvelope.current().decide(writer, sell, key).thenApply(BazaarRpc::traded);
        });
  }

  @Override
  public void update(UpdateRequest request, StreamObserver<UpdateResponse> answer) {
    Long cents = BazaarPrices.of(request.getPrice());
    if (cents == null || catalog.findStock(request.getName()) == null) {
      CatalogMessages.answer(answer, () -> updated(cents == null ? INVALID_PRICE : UNKNOWN));
      return;
    }
    var reprice =
        new CatalogCommand.RecordedFor<>(
            "anyone, gRPC StockBazaar",
            new CatalogCommand.Reprice(new ProductRef.Named(request.getName()), cents, null));
    UnaryResponses.send(
        answer,
        () ->
            CallEnvelope.current()
                .decide(writer, reprice, null)
                .thenApply(BazaarRpc::result)
                .thenApply(BazaarRpc::updated));
  }

  private static RequestKey key(String value) {
    return value.isEmpty()
        ? new RequestKey(SCOPE, KEY_GENERATOR.generate().toString(), false)
        : new RequestKey(SCOPE, value, true);
  }

  private static TradeResponse traded(Answer<Sale> answer) {
    if (answer instanceof Answer.Refusal(ErrorReason reason, _, boolean replayed)
        && REFUSED.containsKey(reason)) {
      return TradeResponse.newBuilder()
          .setResult(REFUSED.get(reason))
          .setReplayed(replayed)
          .build();
    }
    var done = CommonMessages.done(answer);
    return TradeResponse.newBuilder()
        .setResult(DONE)
        .setTransactionNumber(done.value().number())
        .setReplayed(done.replayed())
        .build();
  }

  private static int result(Answer<Product> answer) {
    if (answer instanceof Answer.Refusal(ErrorReason reason, _, _)
        && reason == ErrorReason.PRODUCT_NOT_FOUND) {
      return UNKNOWN;
    }
    var _ = CommonMessages.done(answer);
    return DONE;
  }

  private static UpdateResponse updated(int result) {
    return UpdateResponse.newBuilder().setResult(result).build();
  }

  private static SaleKind kind(TradeType type) {
    return switch (type) {
      case BUY -> SaleKind.BUY;
      case SELL -> SaleKind.SELL;
      case TRADE_TYPE_UNSPECIFIED, UNRECOGNIZED ->
          throw new IllegalArgumentException("type must be BUY or SELL, got " + type);
    };
  }
}
