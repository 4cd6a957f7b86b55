package toystore.frontend.orders;

import java.util.Map;
import java.util.OptionalLong;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import toystore.frontend.http.Administrator;
import toystore.frontend.http.IdempotencyKey;
import toystore.frontend.http.JsonBody;
import toystore.frontend.http.JsonResponse;
import toystore.frontend.http.PagedResponse;

/// `/orders`: anyone can place and read an order; only the administrator can list them.
@Controller
@RequestMapping("/orders")
final class OrdersController {
  private final OrderClient orders;

  OrdersController(OrderClient orders) {
    this.orders = orders;
  }

  @PostMapping
  JsonResponse place(IdempotencyKey key, JsonBody body) {
    NewOrder order = NewOrder.of(body);
    OrderClient.PlacedOrder placed = orders.place("/orders", key, order);
    String numberField = order.trade().isPresent() ? "transaction_number" : "order_number";
    return JsonResponse.ok(Map.of(numberField, placed.number())).replayed(placed.replayed());
  }

  @GetMapping("/{number}")
  JsonResponse order(@PathVariable String number) {
    return JsonResponse.ok(orders.find(number));
  }

  @GetMapping
  JsonResponse orders(
      Administrator administrator,
      @RequestParam(defaultValue = "") String after,
      @RequestParam(defaultValue = "") String limit) {
    OptionalLong afterNumber =
        after.isEmpty()
            ? OptionalLong.empty()
            : OptionalLong.of(PagedResponse.parseNumber("after", after, 0, Long.MAX_VALUE));
    return JsonResponse.ok(orders.list(afterNumber, PagedResponse.parseLimit(limit)));
  }
}
