package toystore.reference;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

@RestController
class JpaController {
  private final JpaProducts products;
  private final JpaOrders orders;

  JpaController(JpaProducts products, JpaOrders orders) {
    this.products = products;
    this.orders = orders;
  }

  record Data<T>(T data) {}

  record ProductView(String name, BigDecimal price, long quantity) {}

  record OrderRequest(String name, long quantity) {}

  record OrderView(@Nullable Long order_number) {}

  @GetMapping("/products/{name}")
  Data<ProductView> product(@PathVariable String name) {
    JpaProduct it = products.findById(name).orElseThrow(JpaController::noSuchProduct);
    return new Data<>(new ProductView(it.name(), it.price(), it.quantity()));
  }

  @PostMapping("/orders")
  @Transactional
  Data<OrderView> order(@RequestBody OrderRequest request) {
    JpaProduct product =
        products.findLockedByName(request.name()).orElseThrow(JpaController::noSuchProduct);
    if (request.quantity() < 1 || product.quantity() < request.quantity()) {
      throw new ResponseStatusException(HttpStatus.CONFLICT);
    }
    product.take(request.quantity());
    JpaOrder order = orders.save(new JpaOrder(product.name(), request.quantity()));
    return new Data<>(new OrderView(order.number()));
  }

  private static ResponseStatusException noSuchProduct() {
    return new ResponseStatusException(HttpStatus.NOT_FOUND);
  }
}
