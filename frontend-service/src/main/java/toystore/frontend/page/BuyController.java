package toystore.frontend.page;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.validation.Valid;
import java.util.Map;
import java.util.Optional;
import org.springframework.http.HttpStatusCode;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.servlet.ModelAndView;
import toystore.frontend.http.error.ApiException;
import toystore.frontend.http.key.IdempotencyKey;
import toystore.frontend.http.request.BrowserRequest;
import toystore.frontend.orders.OrderClient;
import toystore.frontend.products.ProductClient;
import toystore.frontend.products.ProductView;

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

  @PostMapping("/buy")
  ModelAndView buy(
      @Valid @ModelAttribute BuyForm purchase,
      HttpServletRequest request,
      HttpServletResponse response) {
    response.setHeader(IdempotencyKey.HEADER, purchase.key().value());
    boolean isHtmx = BrowserRequest.isHtmx(request);
    try {
      long number = orders.place("/buy", purchase.key(), purchase.order()).view();
      String page = "/find?number=" + number;
      if (!isHtmx) {
        return new ModelAndView("redirect:" + page);
      }
      response.setHeader("HX-Push-Url", request.getContextPath() + page);
      return card(
          200,
          "card",
          ProductCard.afterOrder(find(purchase.name()), purchase, number, total(number)));
    } catch (ApiException e) {
      var card = ProductCard.afterError(find(purchase.name()), purchase, e);
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

  /// Returns the current state of the product; empty if it is not sold or the catalog is
  /// unavailable.
  private Optional<ProductView> find(String name) {
    try {
      return catalog.find(name);
    } catch (ApiException e) {
      return Optional.empty();
    }
  }

  private static ModelAndView card(int status, String template, ProductCard card) {
    return new ModelAndView(template, Map.of("card", card), HttpStatusCode.valueOf(status));
  }
}
