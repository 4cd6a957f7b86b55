package toystore.order.rpc;

import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.grpc.server.service.GrpcService;
import toystore.order.domain.Cart;
import toystore.order.domain.CartChange;
import toystore.order.domain.CartContents;
import toystore.order.domain.CartLine;
import toystore.order.domain.CartOwner;
import toystore.order.domain.OrderCommand;
import toystore.order.domain.OrderUnitOfWork;
import toystore.order.purchases.ItemSalesClient;
import toystore.order.storage.CartStore;
import toystore.order.v1.AcceptPriceRequest;
import toystore.order.v1.AcceptPriceResponse;
import toystore.order.v1.AddToCartRequest;
import toystore.order.v1.AddToCartResponse;
import toystore.order.v1.Buyer;
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
import toystore.platform.journal.RequestKey;
import toystore.platform.rpc.CallEnvelope;
import toystore.platform.rpc.UnaryResponses;
import toystore.platform.service.AdministratorInterceptor;
import toystore.platform.storage.ReadPool;
import toystore.platform.storage.SingleWriter;
import toystore.platform.text.Limits;

/// `toystore.order.v1.CartService`. Runs on gRPC's I/O threads and never blocks.
@GrpcService(interceptors = AdministratorInterceptor.class)
final class CartRpc extends CartServiceGrpc.CartServiceImplBase {
  private final ReadPool readers;
  private final SingleWriter<OrderUnitOfWork> writer;
  private final ItemSalesClient catalog;

  CartRpc(ReadPool readers, SingleWriter<OrderUnitOfWork> writer, ItemSalesClient catalog) {
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
  public void addToCart(AddToCartRequest request, StreamObserver<AddToCartResponse> answer) {
    change(
        answer,
        request.getBuyer(),
        CallEnvelope::key,
        () -> {
          long itemId = itemId(request.getItemId());
          long quantity = quantity(request.getQuantity());
          return catalog
              .find(itemId)
              .thenApply(offer -> new CartChange.Add(itemId, quantity, offer));
        },
        changed -> AddToCartResponse.newBuilder().setCart(cart(changed)).build());
  }

  @Override
  public void removeFromCart(
      RemoveFromCartRequest request, StreamObserver<RemoveFromCartResponse> answer) {
    change(
        answer,
        request.getBuyer(),
        _ -> null,
        () ->
            CompletableFuture.completedFuture(
                new CartChange.Remove(
                    itemId(request.getItemId()), quantity(request.getQuantity()))),
        changed -> RemoveFromCartResponse.newBuilder().setCart(cart(changed)).build());
  }

  @Override
  public void acceptPrice(AcceptPriceRequest request, StreamObserver<AcceptPriceResponse> answer) {
    change(
        answer,
        request.getBuyer(),
        _ -> null,
        () -> {
          long itemId = itemId(request.getItemId());
          return catalog
              .find(itemId)
              .thenApply(
                  offer -> new CartChange.AcceptPrice(itemId, request.getPriceCents(), offer));
        },
        changed -> AcceptPriceResponse.newBuilder().setCart(cart(changed)).build());
  }

  @Override
  public void clearCart(ClearCartRequest request, StreamObserver<ClearCartResponse> answer) {
    change(
        answer,
        request.getBuyer(),
        _ -> null,
        () -> CompletableFuture.completedFuture(new CartChange.Clear()),
        changed -> ClearCartResponse.newBuilder().setCart(cart(changed)).build());
  }

  @Override
  public void saveCart(SaveCartRequest request, StreamObserver<SaveCartResponse> answer) {
    change(
        answer,
        request.getBuyer(),
        CallEnvelope::key,
        () -> CompletableFuture.completedFuture(new CartChange.Save()),
        changed -> SaveCartResponse.newBuilder().setCart(cart(changed)).build());
  }

  @Override
  public void endSession(
      EndSessionRequest request, StreamObserver<EndSessionResponse> responseObserver) {
    var command = new OrderCommand.EndSessions(List.of(request.getSessionId()));
    UnaryResponses.send(
        responseObserver,
        () ->
            CallEnvelope.current()
                .submit(writer, command, null)
                .thenApply(_ -> EndSessionResponse.getDefaultInstance()));
  }

  /// @param key of the call; null: a repeat is harmless
  /// @param change may ask the catalog
  private <T> void change(
      StreamObserver<T> answer,
      Buyer buyer,
      Function<CallEnvelope, @Nullable RequestKey> key,
      Supplier<CompletionStage<? extends CartChange>> change,
      Function<CartContents, T> response) {
    CallEnvelope call = CallEnvelope.current();
    UnaryResponses.send(
        answer,
        () -> {
          CartOwner owner = owner(buyer);
          RequestKey requestKey = key.apply(call);
          return change
              .get()
              .thenCompose(
                  it -> call.submit(writer, new OrderCommand.ChangeCart(owner, it), requestKey))
              .thenApply(response);
        });
  }

  static CartOwner owner(Buyer buyer) {
    Limits.checkAtLeast("buyer.session_id", buyer.getSessionId(), 1);
    return new CartOwner(buyer.getBuyerId(), buyer.getSessionId());
  }

  static long itemId(long id) {
    Limits.checkAtLeast("item_id", id, 1);
    return id;
  }

  private static long quantity(long quantity) {
    Limits.check("quantity", quantity, 1, Cart.MAX_QUANTITY);
    return quantity;
  }

  private static toystore.order.v1.Cart cart(CartContents contents) {
    var message = toystore.order.v1.Cart.newBuilder();
    for (CartLine line : contents.view().lines()) {
      message.addLines(
          toystore.order.v1.CartLine.newBuilder()
              .setItemId(line.itemId())
              .setName(line.name())
              .setQuantity(line.quantity())
              .setPriceCents(line.priceCents())
              .setSaved(contents.saved().contains(line)));
    }
    return message.build();
  }

  static Cart cart(toystore.order.v1.Cart message) {
    return new Cart(
        message.getLinesList().stream()
            .map(it ->
                new CartLine(it.getItemId(), it.getName(), it.getQuantity(), it.getPriceCents()))
            .toList());
  }
}
