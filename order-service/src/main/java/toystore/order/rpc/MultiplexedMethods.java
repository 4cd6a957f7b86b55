package toystore.order.rpc;

import io.grpc.MethodDescriptor;
import java.util.Set;
import java.util.stream.Stream;
import toystore.catalog.v1.CatalogServiceGrpc;
import toystore.catalog.v1.ItemServiceGrpc;
import toystore.order.v1.CartServiceGrpc;
import toystore.order.v1.OrderServiceGrpc;
import toystore.order.v1.PurchaseServiceGrpc;
import toystore.payment.v1.PaymentServiceGrpc;

/// The methods whose calls travel over one stream: those of an order and of a purchase.
public final class MultiplexedMethods {
  private MultiplexedMethods() {}

  public static String[] ofCatalog() {
    return names(
        CatalogServiceGrpc.getSellMethod(),
        ItemServiceGrpc.getGetItemMethod(),
        ItemServiceGrpc.getSellItemsMethod());
  }

  public static String[] ofPaymentService() {
    return names(PaymentServiceGrpc.getAuthoriseMethod(), PaymentServiceGrpc.getCaptureMethod());
  }

  /// Of this service.
  public static Set<String> served() {
    return Set.of(
        names(
            OrderServiceGrpc.getPlaceOrderMethod(),
            CartServiceGrpc.getAddToCartMethod(),
            PurchaseServiceGrpc.getPurchaseMethod()));
  }

  private static String[] names(MethodDescriptor<?, ?>... methods) {
    return Stream.of(methods).map(MethodDescriptor::getFullMethodName).toArray(String[]::new);
  }
}
