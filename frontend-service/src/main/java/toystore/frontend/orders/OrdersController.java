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
import toystore.frontend.http.Answer;
import toystore.frontend.http.Fields;
import toystore.frontend.http.IdempotencyKey;
import toystore.frontend.http.Page;

/// `/orders`: anyone may place one and look one up, the administrator lists them.
@Controller
@RequestMapping("/orders")
final class OrdersController {
  private final OrderClient orders;

  OrdersController(OrderClient orders) {
    this.orders = orders;
  }

  @PostMapping
  Answer place(IdempotencyKey key, Fields fields) {
    NewOrder order = NewOrder.of(fields);
    Placed placed = orders.place("/orders", key, order);
    String number = order.trade().isPresent() ? "transaction_number" : "order_number";
    return Answer.ok(Map.of(number, placed.number())).replayed(placed.replayed());
  }

  @GetMapping("/{number}")
  Answer order(@PathVariable String number) {
    return Answer.ok(orders.find(number));
  }

  @GetMapping
  Answer orders(
      Administrator by,
      @RequestParam(defaultValue = "") String after,
      @RequestParam(defaultValue = "") String limit) {
    OptionalLong behind =
        after.isEmpty()
            ? OptionalLong.empty()
            : OptionalLong.of(Page.number("after", after, 0, Long.MAX_VALUE));
    return Answer.ok(orders.list(behind, Page.limit(limit)));
  }
}
