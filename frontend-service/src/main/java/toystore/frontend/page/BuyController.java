package toystore.frontend.page;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatusCode;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.servlet.ModelAndView;
import toystore.frontend.http.error.ApiException;
import toystore.frontend.http.json.Expected;
import toystore.frontend.http.key.IdempotencyKey;
import toystore.frontend.http.money.Decimal;
import toystore.frontend.http.request.BrowserRequest;
import toystore.frontend.orders.NewOrder;
import toystore.frontend.orders.NewOrder.Trade;
import toystore.frontend.orders.OrderClient;
import toystore.frontend.products.ProductClient;

/// `/buy` receives the form of a [ProductCard]: an order of one product, or a trade of a stock.
/// With htmx it returns the card, and the browser's address becomes that of the order's page, so
/// that a reload shows the order; else it redirects there. An error is shown on the card, with the
/// same HTTP status as in the API.
@Controller
final class BuyController {
  private final ProductClient catalog;
  private final OrderClient orders;

  BuyController(ProductClient catalog, OrderClient orders) {
    this.catalog = catalog;
    this.orders = orders;
  }

  /// The form of a [ProductCard] as a customer sent it.
  ///
  /// @param key idempotency key of the form: it is one order, however often it is sent
  /// @param quantity 1 if the form has none
  /// @param price what the customer saw for one unit; null if the card had no price
  /// @param type direction of a trade; null: a plain order
  record BuyForm(
      @NotNull(message = Expected.TEXT) IdempotencyKey key,
      @NotEmpty(message = Expected.TEXT) String name,
      @Min(value = 1, message = Expected.COUNT) Integer quantity,
      @Decimal(optional = true) @Nullable BigDecimal price,
      @Nullable Trade type) {
    BuyForm {
      quantity = quantity == null ? Integer.valueOf(1) : quantity;
    }

    NewOrder order() {
      return NewOrder.of(name, quantity, price, type);
    }
  }

  @PostMapping("/buy")
  ModelAndView buy(
      @Valid @ModelAttribute BuyForm purchase,
      HttpServletRequest request,
      HttpServletResponse response) {
    response.setHeader(IdempotencyKey.HEADER, purchase.key().value());
    boolean isHtmx = BrowserRequest.isHtmx(request);
    try {
      long number = orders.place("/buy", purchase.key(), purchase.order());
      String page = "/find?number=" + number;
      if (!isHtmx) {
        return new ModelAndView("redirect:" + page);
      }
      response.setHeader("HX-Push-Url", request.getContextPath() + page);
      return card(
          200,
          "card",
          ProductCard.afterOrder(
              catalog.findIfAvailable(purchase.name()), purchase, number, total(number)));
    } catch (ApiException e) {
      var card = ProductCard.afterError(catalog.findIfAvailable(purchase.name()), purchase, e);
      return card(e.status(), isHtmx ? "card" : "product", card);
    }
  }

  /// Returns what an order cost; empty if the order service is unavailable.
  private Optional<String> total(long order) {
    try {
      return Optional.of(Price.of(orders.find(Long.toString(order)).total()));
    } catch (ApiException e) {
      return Optional.empty();
    }
  }

  private static ModelAndView card(int status, String template, ProductCard card) {
    return new ModelAndView(template, Map.of("card", card), HttpStatusCode.valueOf(status));
  }
}
