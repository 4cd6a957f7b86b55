package toystore.order.rpc;

import com.google.protobuf.util.Timestamps;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.stub.StreamObserver;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.springframework.grpc.server.service.GrpcService;
import toystore.common.v1.Card;
import toystore.order.domain.BegunPurchase.Sold;
import toystore.order.domain.OrderCommand;
import toystore.order.domain.Purchase;
import toystore.order.domain.UnitTotal;
import toystore.order.purchases.PurchaseDriver;
import toystore.order.purchases.PurchaseRecovery;
import toystore.order.storage.PurchaseStore;
import toystore.order.storage.UnitTotalStore;
import toystore.order.v1.GetSoldUnitsRequest;
import toystore.order.v1.GetSoldUnitsResponse;
import toystore.order.v1.HasPurchasedRequest;
import toystore.order.v1.HasPurchasedResponse;
import toystore.order.v1.ListPurchasesRequest;
import toystore.order.v1.ListPurchasesResponse;
import toystore.order.v1.PurchaseRequest;
import toystore.order.v1.PurchaseResponse;
import toystore.order.v1.PurchaseServiceGrpc;
import toystore.order.v1.PurchasedLine;
import toystore.platform.error.ErrorReason;
import toystore.platform.journal.Answer;
import toystore.platform.rpc.CallEnvelope;
import toystore.platform.rpc.RpcError;
import toystore.platform.rpc.UnaryResponses;
import toystore.platform.service.AdministratorInterceptor;
import toystore.platform.storage.ReadPool;
import toystore.platform.text.CardFields;
import toystore.platform.text.Limits;

/// `toystore.order.v1.PurchaseService`. Runs on gRPC's I/O threads and never blocks.
@GrpcService(interceptors = AdministratorInterceptor.class)
final class PurchaseRpc extends PurchaseServiceGrpc.PurchaseServiceImplBase {
  private static final long ANSWER_MARGIN_MILLIS = 100;
  private static final long MAX_CAPTURE_WAIT_MILLIS = 1_000;

  private final PurchaseDriver driver;
  private final PurchaseRecovery recovery;
  private final ReadPool readers;
  private final Supplier<String> purchaseIds;

  PurchaseRpc(
      PurchaseDriver driver,
      PurchaseRecovery recovery,
      ReadPool readers,
      Supplier<String> purchaseIds) {
    this.driver = driver;
    this.recovery = recovery;
    this.readers = readers;
    this.purchaseIds = purchaseIds;
  }

  @Override
  public void purchase(PurchaseRequest request, StreamObserver<PurchaseResponse> responseObserver) {
    UnaryResponses.send(responseObserver, () -> purchase(request));
  }

  private CompletionStage<PurchaseResponse> purchase(PurchaseRequest request) {
    CallEnvelope call = CallEnvelope.current();
    var command =
        call.submitted(
            new OrderCommand.BeginPurchase(
                purchaseIds.get(),
                CartRpc.owner(request.getBuyer()),
                request.hasSeen() ? CartRpc.cart(request.getSeen()) : null),
            call.key());
    CardFields card = card(request.getCard());
    RpcError refusal = recovery.refusal();
    if (refusal != null) {
      throw refusal.toException();
    }
    CompletableFuture<Answer<Sold>> answer = driver.purchase(command, card);
    var unanswered =
        new Answer.Refusal<Sold>(
            ErrorReason.OUTCOME_UNKNOWN,
            "the payment service has not answered yet; repeat the request with the key");
    Deadline deadline = Context.current().getDeadline();
    if (deadline != null) { // an answer shows the caller's circuit breaker that this service works
      answer.completeOnTimeout(
          unanswered,
          deadline.timeRemaining(TimeUnit.MILLISECONDS) - ANSWER_MARGIN_MILLIS,
          TimeUnit.MILLISECONDS);
    }
    Context.current().addListener(_ -> answer.complete(unanswered), Runnable::run);
    return answer.thenApply(it -> response(call.done(it)));
  }

  private static CardFields card(Card card) {
    return new CardFields(
        card.getHolderName(), card.getNumber(), card.getExpirationDate(), card.getSecurityCode());
  }

  private static PurchaseResponse response(Sold sold) {
    return PurchaseResponse.newBuilder().setUnits(sold.units()).setNumber(sold.number()).build();
  }

  @Override
  public void listPurchases(
      ListPurchasesRequest request, StreamObserver<ListPurchasesResponse> responseObserver) {
    UnaryResponses.send(responseObserver, () -> list(request));
  }

  private CompletionStage<ListPurchasesResponse> list(ListPurchasesRequest request) {
    int limit = request.getLimit() == 0 ? Limits.DEFAULT_PAGE : Limits.page(request.getLimit());
    Limits.checkAtLeast("after", request.getAfter(), 0);
    return readers.read(connection -> page(connection, request, limit));
  }

  private static ListPurchasesResponse page(
      Connection connection, ListPurchasesRequest request, int limit) throws SQLException {
    long buyer = request.getBuyerId();
    List<Purchase.PurchasedLine> lines =
        PurchaseStore.lines(
            connection, buyer, request.getAfter(), request.getNewestFirst(), limit + 1);
    var response =
        ListPurchasesResponse.newBuilder()
            .setUnits(UnitTotalStore.find(connection, UnitTotal.buyer(buyer)));
    for (Purchase.PurchasedLine it : lines.subList(0, Math.min(limit, lines.size()))) {
      Purchase purchase = PurchaseStore.purchaseOf(connection, it);
      response.addLines(
          PurchasedLine.newBuilder()
              .setItemId(it.line().itemId())
              .setName(it.line().name())
              .setQuantity(it.line().quantity())
              .setPriceCents(it.line().priceCents())
              .setPurchasedAt(Timestamps.fromMillis(it.soldAt().toEpochMilli()))
              .setReturned(it.returned())
              .setNumber(purchase.soldSale().number())
              .setTotalCents(purchase.cart().totalCents())
              .setPurchaseId(purchase.id()));
    }
    if (lines.size() > limit) {
      response.setNext(lines.get(limit - 1).id());
    }
    return response.build();
  }

  @Override
  public void hasPurchased(
      HasPurchasedRequest request, StreamObserver<HasPurchasedResponse> responseObserver) {
    UnaryResponses.send(
        responseObserver,
        () ->
            driver
                .whenCaptured(request.getBuyerId(), request.getItemId())
                .completeOnTimeout(null, captureWaitMillis(), TimeUnit.MILLISECONDS)
                .thenCompose(_ ->
                    readers.read(connection ->
                        PurchaseStore.statesOf(
                            connection, request.getBuyerId(), request.getItemId())))
                .thenApply(states ->
                    HasPurchasedResponse.newBuilder()
                        .setPurchased(states.contains(Purchase.State.CAPTURED))
                        .setPending(states.equals(Set.of(Purchase.State.SOLD)))
                        .build()));
  }

  /// Half of the time that the caller waits. A capture usually follows its sale within
  /// milliseconds, so a buyer who rates at once is not refused.
  private static long captureWaitMillis() {
    Deadline deadline = Context.current().getDeadline();
    return deadline == null
        ? MAX_CAPTURE_WAIT_MILLIS
        : Math.clamp(deadline.timeRemaining(TimeUnit.MILLISECONDS) / 2, 0, MAX_CAPTURE_WAIT_MILLIS);
  }

  @Override
  public void getSoldUnits(
      GetSoldUnitsRequest request, StreamObserver<GetSoldUnitsResponse> responseObserver) {
    UnaryResponses.send(
        responseObserver,
        () -> {
          Limits.check("number of item_ids", request.getItemIdsCount(), 0, Limits.MAX_PAGE);
          return readers.read(connection -> soldUnits(connection, request));
        });
  }

  private static GetSoldUnitsResponse soldUnits(Connection connection, GetSoldUnitsRequest request)
      throws SQLException {
    var response =
        GetSoldUnitsResponse.newBuilder()
            .setUnits(UnitTotalStore.find(connection, UnitTotal.seller(request.getSellerId())));
    for (long item : request.getItemIdsList()) {
      response.addItemUnits(UnitTotalStore.find(connection, UnitTotal.item(item)));
    }
    return response.build();
  }
}
