package toystore.catalog;

import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.impl.TimeBasedEpochGenerator;
import io.grpc.Context;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import toystore.bazaar.v1.LookupRequest;
import toystore.bazaar.v1.LookupResponse;
import toystore.bazaar.v1.StockBazaarGrpc;
import toystore.bazaar.v1.TradeRequest;
import toystore.bazaar.v1.TradeResponse;
import toystore.bazaar.v1.TradeType;
import toystore.bazaar.v1.UpdateRequest;
import toystore.bazaar.v1.UpdateResponse;
import toystore.platform.idempotency.RequestKey;
import toystore.platform.rpc.UnaryResponses;
import toystore.platform.storage.SingleWriter;
import toystore.platform.telemetry.WriterSpans;

/// `toystore.bazaar.v1.StockBazaar`. Uses the same products, writer and sale numbers as the store.
/// Never blocks.
@Component
final class BazaarRpc extends StockBazaarGrpc.StockBazaarImplBase {
  private static final int DONE = 1;
  private static final int SUSPENDED = 0;
  private static final int UNKNOWN = -1;
  private static final int INSUFFICIENT_STOCK = -2;
  private static final int INVALID_PRICE = -2;

  private static final String SCOPE = "StockBazaar/Trade";
  private static final TimeBasedEpochGenerator KEY_GENERATOR = Generators.timeBasedEpochGenerator();

  private final Catalog catalog;
  private final SingleWriter<PendingCommand, CommandResult> writer;

  BazaarRpc(Catalog catalog, SingleWriter<PendingCommand, CommandResult> writer) {
    this.catalog = catalog;
    this.writer = writer;
  }

  @Override
  public void lookup(LookupRequest request, StreamObserver<LookupResponse> answer) {
    Product stock = catalog.findStock(request.getName());
    answer.onNext(
        stock == null
            ? LookupResponse.newBuilder().setPrice(UNKNOWN).build()
            : LookupResponse.newBuilder()
                .setPrice(BazaarPrices.toUnits(stock.priceCents()))
                .setVolume(stock.volume())
                .setSuspended(stock.suspended())
                .build());
    answer.onCompleted();
  }

  @Override
  public void trade(TradeRequest request, StreamObserver<TradeResponse> answer) {
    UnaryResponses.send(
        answer,
        () -> {
          var line = new RequestedSaleLine(request.getName(), request.getQuantity());
          var sell =
              new Command.Sell(SaleSeries.STORE, kind(request.getType()), false, List.of(line));
          RequestKey key = key(request.getKey());
          return submit(sell, key).thenApply(BazaarRpc::traded);
        });
  }

  @Override
  public void update(UpdateRequest request, StreamObserver<UpdateResponse> answer) {
    Long cents = BazaarPrices.of(request.getPrice());
    if (cents == null) {
      answer.onNext(UpdateResponse.newBuilder().setResult(INVALID_PRICE).build());
      answer.onCompleted();
      return;
    }
    if (catalog.findStock(request.getName()) == null) {
      answer.onNext(UpdateResponse.newBuilder().setResult(UNKNOWN).build());
      answer.onCompleted();
      return;
    }
    UnaryResponses.send(
        answer,
        () ->
            submit(new Command.Reprice(new ProductRef.Named(request.getName()), cents), null)
                .thenApply(BazaarRpc::updated));
  }

  private CompletionStage<CommandResult> submit(Command command, @Nullable RequestKey key) {
    Context caller = Context.current();
    return writer.submit(
        new PendingCommand(command, key, null, caller::isCancelled), WriterSpans.of(caller));
  }

  private static RequestKey key(String value) {
    return value.isEmpty()
        ? new RequestKey(SCOPE, KEY_GENERATOR.generate().toString(), false)
        : new RequestKey(SCOPE, value, true);
  }

  private static TradeResponse traded(CommandResult answer) {
    return switch (answer) {
      case CommandResult.Sold sold ->
          TradeResponse.newBuilder()
              .setResult(DONE)
              .setTransactionNumber(sold.sale().number())
              .setReplayed(sold.replayed())
              .build();
      case Refused refused ->
          TradeResponse.newBuilder()
              .setResult(
                  switch (refused.reason()) {
                    case SUSPENDED -> SUSPENDED;
                    case PRODUCT_NOT_FOUND, NOT_A_STOCK -> UNKNOWN;
                    case OUT_OF_STOCK -> INSUFFICIENT_STOCK;
                    default -> throw CatalogMessages.rpcError(refused);
                  })
              .setReplayed(refused.replayed())
              .build();
      case CommandResult.Changed _, CommandResult.Imported _ ->
          throw new IllegalStateException("unexpected result of a trade: " + answer);
    };
  }

  private static UpdateResponse updated(CommandResult answer) {
    return switch (answer) {
      case CommandResult.Changed _ -> UpdateResponse.newBuilder().setResult(DONE).build();
      case Refused refused when refused.reason() == RefusalReason.PRODUCT_NOT_FOUND ->
          UpdateResponse.newBuilder().setResult(UNKNOWN).build();
      case Refused refused -> throw CatalogMessages.rpcError(refused);
      case CommandResult.Sold _, CommandResult.Imported _ ->
          throw new IllegalStateException("unexpected result of an update: " + answer);
    };
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
