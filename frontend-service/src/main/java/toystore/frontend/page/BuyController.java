package toystore.frontend.page;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.PostMapping;
import toystore.frontend.http.ApiException;
import toystore.frontend.http.BrowserRequest;
import toystore.frontend.http.BytesResponse;
import toystore.frontend.http.FormBody;
import toystore.frontend.http.HttpReply;
import toystore.frontend.http.IdempotencyKey;
import toystore.frontend.orders.OrderClient;
import toystore.frontend.products.ProductClient;
import toystore.frontend.products.ProductView;

/// `/buy` receives the form of a [ProductCard]: an order of one product, or a trade of a stock.
/// With htmx it returns the card, else it redirects to the page of the order. An error is shown on
/// the card, with the same HTTP status as in the API.
@Controller
final class BuyController {
  private final ProductClient catalog;
  private final OrderClient orders;
  private final TemplateRenderer renderer;

  BuyController(ProductClient catalog, OrderClient orders, TemplateRenderer renderer) {
    this.catalog = catalog;
    this.orders = orders;
    this.renderer = renderer;
  }

  @PostMapping("/buy")
  HttpReply buy(HttpServletRequest request, FormBody form) {
    BuyForm purchase = BuyForm.of(form);
    boolean isHtmx = BrowserRequest.isHtmx(request);
    try {
      long number = orders.place("/buy", purchase.key(), purchase.order()).view();
      String page = "/find?number=" + number;
      return isHtmx
          ? confirmation(purchase, number, page)
          : TemplateRenderer.redirect(page, Map.of(IdempotencyKey.HEADER, purchase.key().value()));
    } catch (ApiException e) {
      var card = ProductCard.afterError(find(purchase.name()), purchase, e);
      return render(e.status(), isHtmx ? "card" : "product", purchase, card);
    }
  }

  /// The card says what was ordered. The browser's address becomes that of the order's page, so
  /// that a reload shows the order.
  private HttpReply confirmation(BuyForm purchase, long order, String page) {
    HttpReply card =
        render(
            200,
            "card",
            purchase,
            ProductCard.afterOrder(find(purchase.name()), purchase, order, total(order)));
    return response -> {
      response.setHeader("HX-Push-Url", TemplateRenderer.contextPath() + page);
      card.writeTo(response);
    };
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

  private BytesResponse render(int status, String template, BuyForm purchase, ProductCard card) {
    return renderer.render(status, template, Map.of("card", card), Optional.of(purchase.key()));
  }
}
