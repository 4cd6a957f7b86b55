package toystore.order;

import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
import io.grpc.Context;
import io.grpc.stub.StreamObserver;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.springframework.grpc.server.service.GrpcService;
import toystore.common.v1.IdempotencyKey;
import toystore.order.v1.AcceptPriceRequest;
import toystore.order.v1.AcceptPriceResponse;
import toystore.order.v1.AddToCartRequest;
import toystore.order.v1.AddToCartResponse;
import toystore.order.v1.Buyer;
import toystore.order.v1.CartLine;
import toystore.order.v1.CartServiceGrpc;
import toystore.order.v1.ClearCartRequest;
import toystore.order.v1.ClearCartResponse;
import toystore.order.v1.EndSessionRequest;
import toystore.order.v1.EndSessionResponse;
import toystore.order.v1.GetCartRequest;
import toystore.order.v1.GetCartResponse;
import toystore.order.v1.RemoveFromCartRequest;
import toystore.order.v1.RemoveFromCartResponse;
import toystore.order.v1.SaveCartRequest;
import toystore.order.v1.SaveCartResponse;
import toystore.platform.idempotency.RequestKey;
import toystore.platform.rpc.UnaryResponses;
import toystore.platform.service.AdministratorInterceptor;
import toystore.platform.storage.ReadPool;
import toystore.platform.storage.SingleWriter;
import toystore.platform.telemetry.WriterSpans;

/// Implements `toystore.order.v1.CartService`. Runs on gRPC's I/O threads and never blocks.
@GrpcService(interceptors = AdministratorInterceptor.class)
final class CartRpc extends CartServiceGrpc.CartServiceImplBase {
  private final ReadPool readers;
  private final SingleWriter<OrderCommand, OrderResult> writer;
  private final ItemSalesClient catalog;

  CartRpc(
      ReadPool readers, SingleWriter<OrderCommand, OrderResult> writer, ItemSalesClient catalog) {
    this.readers = readers;
    this.writer = writer;
    this.catalog = catalog;
  }

  @Override
  public void getCart(GetCartRequest request, StreamObserver<GetCartResponse> responseObserver) {
    UnaryResponses.send(
        responseObserver,
        () -> {
          CartOwner owner = owner(request.getBuyer());
          return readers
              .read(connection -> CartStore.find(connection, owner))
              .thenApply(cart -> GetCartResponse.newBuilder().setCart(cart(cart)).build());
        });
  }

  @Override
  public void addToCart(
      AddToCartRequest request, StreamObserver<AddToCartResponse> responseObserver) {
    UnaryResponses.send(
        responseObserver,
        () ->
            add(request)
                .thenApply(changed ->
                    AddToCartResponse.newBuilder()
                        .setCart(cart(changed.cart()))
                        .setReplayed(changed.replayed())
                        .build()));
  }

  private CompletionStage<OrderResult.CartChanged> add(AddToCartRequest request) {
    CartOwner owner = owner(request.getBuyer());
    RequestKey key = key(request.getKey());
    OrderCommand.Validity validity = validity(request.hasDecideBy() ? request.getDecideBy() : null);
    long itemId = itemId(request.getItemId());
    long quantity = quantity(request.getQuantity());
    return catalog
        .find(itemId)
        .thenComposeAsync(
            offer ->
                change(
                    new OrderCommand.ChangeCart(
                        owner, new CartChange.Add(itemId, quantity, offer), key, validity)),
            currentCall());
  }

  @Override
  public void removeFromCart(
      RemoveFromCartRequest request, StreamObserver<RemoveFromCartResponse> responseObserver) {
    UnaryResponses.send(
        responseObserver,
        () ->
            change(
                    request.getBuyer(),
                    new CartChange.Remove(
                        itemId(request.getItemId()), quantity(request.getQuantity())),
                    null,
                    request.hasDecideBy() ? request.getDecideBy() : null)
                .thenApply(changed ->
                    RemoveFromCartResponse.newBuilder().setCart(cart(changed.cart())).build()));
  }

  @Override
  public void acceptPrice(
      AcceptPriceRequest request, StreamObserver<AcceptPriceResponse> responseObserver) {
    UnaryResponses.send(
        responseObserver,
        () ->
            acceptPrice(request)
                .thenApply(changed ->
                    AcceptPriceResponse.newBuilder().setCart(cart(changed.cart())).build()));
  }

  private CompletionStage<OrderResult.CartChanged> acceptPrice(AcceptPriceRequest request) {
    CartOwner owner = owner(request.getBuyer());
    OrderCommand.Validity validity = validity(request.hasDecideBy() ? request.getDecideBy() : null);
    long itemId = itemId(request.getItemId());
    return catalog
        .find(itemId)
        .thenComposeAsync(
            offer ->
                change(
                    new OrderCommand.ChangeCart(
                        owner,
                        new CartChange.AcceptPrice(itemId, request.getPriceCents(), offer),
                        null,
                        validity)),
            currentCall());
  }

  @Override
  public void clearCart(
      ClearCartRequest request, StreamObserver<ClearCartResponse> responseObserver) {
    UnaryResponses.send(
        responseObserver,
        () ->
            change(
                    request.getBuyer(),
                    new CartChange.Clear(),
                    null,
                    request.hasDecideBy() ? request.getDecideBy() : null)
                .thenApply(changed ->
                    ClearCartResponse.newBuilder().setCart(cart(changed.cart())).build()));
  }

  @Override
  public void saveCart(SaveCartRequest request, StreamObserver<SaveCartResponse> responseObserver) {
    UnaryResponses.send(
        responseObserver,
        () ->
            change(
                    request.getBuyer(),
                    new CartChange.Save(),
                    key(request.getKey()),
                    request.hasDecideBy() ? request.getDecideBy() : null)
                .thenApply(changed ->
                    SaveCartResponse.newBuilder()
                        .setCart(cart(changed.cart()))
                        .setReplayed(changed.replayed())
                        .build()));
  }

  @Override
  public void endSession(
      EndSessionRequest request, StreamObserver<EndSessionResponse> responseObserver) {
    UnaryResponses.send(
        responseObserver,
        () ->
            writer
                .submit(new OrderCommand.EndSessions(List.of(request.getSessionId())))
                .thenApply(_ -> EndSessionResponse.getDefaultInstance()));
  }

  private CompletionStage<OrderResult.CartChanged> change(
      Buyer buyer, CartChange change, @Nullable RequestKey key, @Nullable Timestamp decideBy) {
    return change(new OrderCommand.ChangeCart(owner(buyer), change, key, validity(decideBy)));
  }

  private CompletionStage<OrderResult.CartChanged> change(OrderCommand.ChangeCart command) {
    return writer
        .submit(command, WriterSpans.of(Context.current()))
        .thenApply(result ->
            switch (result) {
              case OrderResult.CartChanged changed -> changed;
              case OrderRefusal refusal -> throw OrderErrorReasons.toException(refusal);
              case Checkpoint _,
                  OrderResult.Recorded _,
                  OrderResult.SessionsEnded _,
                  OrderResult.Sold _,
                  OrderResult.Undecided _ ->
                  throw new IllegalStateException("unexpected result of a cart: " + result);
            });
  }

  static CartOwner owner(Buyer buyer) {
    if (buyer.getSessionId() == 0) {
      throw new IllegalArgumentException("buyer.session_id must be at least 1, got 0");
    }
    return new CartOwner(buyer.getBuyerId(), buyer.getSessionId());
  }

  static RequestKey key(IdempotencyKey key) {
    return new RequestKey(key.getScope(), key.getValue(), key.getClientMade());
  }

  static OrderCommand.Validity validity(@Nullable Timestamp decideBy) {
    if (decideBy != null && !Timestamps.isValid(decideBy)) {
      throw new IllegalArgumentException("decide_by must be a valid timestamp, got " + decideBy);
    }
    return new OrderCommand.Validity(
        decideBy == null ? null : Instant.ofEpochSecond(decideBy.getSeconds(), decideBy.getNanos()),
        Context.current()::isCancelled);
  }

  static long itemId(long id) {
    if (id < 1) {
      throw new IllegalArgumentException("item_id must be at least 1, got " + id);
    }
    return id;
  }

  private static long quantity(long quantity) {
    if (quantity < 1 || quantity > Cart.MAX_QUANTITY) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "quantity must be from 1 to %d, got %d", Cart.MAX_QUANTITY, quantity));
    }
    return quantity;
  }

  private static toystore.order.v1.Cart cart(CartContents contents) {
    var message = toystore.order.v1.Cart.newBuilder();
    for (Order.Line line : contents.view().lines()) {
      message.addLines(
          CartLine.newBuilder()
              .setItemId(line.productId())
              .setName(line.name())
              .setQuantity(line.quantity())
              .setPriceCents(line.priceCents())
              .setSaved(contents.saved().contains(line)));
    }
    return message.build();
  }

  /// Continues in the gRPC context of the current call, and so with its trace.
  private static Executor currentCall() {
    return Context.current().fixedContextExecutor(Runnable::run);
  }
}
