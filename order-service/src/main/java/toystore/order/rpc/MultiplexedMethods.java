package toystore.order.rpc;

import java.util.Set;
import toystore.catalog.v1.CatalogServiceGrpc;
import toystore.order.v1.OrderServiceGrpc;

/// The methods whose calls travel over one stream.
public final class MultiplexedMethods {
  /// Of the catalog.
  public static final String SELL = CatalogServiceGrpc.getSellMethod().getFullMethodName();

  /// Of this service.
  public static final Set<String> SERVED =
      Set.of(OrderServiceGrpc.getPlaceOrderMethod().getFullMethodName());

  private MultiplexedMethods() {}
}
