package toystore.frontend.orders;

import jakarta.validation.Valid;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import toystore.frontend.http.key.IdempotencyKey;
import toystore.frontend.http.paging.PageQuery;
import toystore.frontend.http.paging.PagedResponse;

/// `/orders`: anyone can place and read an order; only the administrator can list them.
@RestController
@RequestMapping("/orders")
final class OrdersController {
  private final OrderClient orders;

  OrdersController(OrderClient orders) {
    this.orders = orders;
  }

  /// The JSON view of a placed order: its number in the sequence that orders and trades share.
  ///
  /// @param transactionNumber the number, if it is a trade
  record PlacedOrder(@Nullable Long orderNumber, @Nullable Long transactionNumber) {}

  @PostMapping
  PlacedOrder place(IdempotencyKey key, @Valid @RequestBody NewOrder order) {
    long number = orders.place("/orders", key, order);
    return order.type() == null ? new PlacedOrder(number, null) : new PlacedOrder(null, number);
  }

  @GetMapping("/{number}")
  OrderView order(@PathVariable String number) {
    return orders.find(number);
  }

  @GetMapping
  PagedResponse<OrderView> orders(PageQuery page) {
    OptionalLong after =
        page.after().isEmpty() ? OptionalLong.empty() : OptionalLong.of(page.number());
    return orders.list(after, page.size());
  }
}
