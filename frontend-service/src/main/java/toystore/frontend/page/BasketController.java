package toystore.frontend.page;

import static java.util.Objects.requireNonNullElseGet;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.ModelAndView;
import toystore.frontend.http.error.ApiException;
import toystore.frontend.http.json.Expected;
import toystore.frontend.http.key.IdempotencyKey;
import toystore.frontend.http.request.BrowserRequest;
import toystore.frontend.orders.OrderClient;
import toystore.frontend.products.ProductClient;
import toystore.frontend.products.ProductView;
import toystore.platform.error.ErrorReason;

/// `/basket` shows the [Basket] and changes it, and orders all of its toys or none. After a refusal
/// the page says which toy was refused, and the basket stays as it is.
@Controller
@RequestMapping("/basket")
final class BasketController {
  private static final String PATH = "/basket";
  private static final String ORDER = PATH + "/order";

  private final ProductClient catalog;
  private final OrderClient orders;

  BasketController(ProductClient catalog, OrderClient orders) {
    this.catalog = catalog;
    this.orders = orders;
  }

  record BasketLine(
      @NotEmpty(message = Expected.TEXT) String name,
      @NotNull(message = Expected.COUNT) @Min(value = 1, message = Expected.COUNT)
          Integer quantity) {}

  /// @param key idempotency key of the form: it is one order, however often it is sent
  /// @param basket what the customer saw
  record OrderForm(
      @NotNull(message = Expected.TEXT) IdempotencyKey key,
      @NotEmpty(message = Expected.TEXT) String basket) {}

  @GetMapping
  ModelAndView basket(HttpServletRequest request) {
    return page(Basket.of(request), null, null);
  }

  /// Receives the form of a [ProductCard]. With htmx, the page stays as it is and announces the
  /// change.
  @PostMapping
  ModelAndView add(
      @Valid @ModelAttribute BasketLine added,
      HttpServletRequest request,
      HttpServletResponse response) {
    Basket before = Basket.of(request);
    try {
      Basket after = before.plus(added.name(), added.quantity());
      if (!BrowserRequest.isHtmx(request)) {
        return keep(after, request, response);
      }
      response.addHeader(HttpHeaders.SET_COOKIE, after.cookie(request));
      response.setHeader("HX-Reswap", "none");
      return new ModelAndView("added")
          .addObject("name", added.name())
          .addObject("units", after.units().get(added.name()))
          .addObject(PageView.IN_BASKET, after.size());
    } catch (ApiException e) {
      return page(before, null, e);
    }
  }

  @PostMapping("/change")
  ModelAndView change(
      @Valid @ModelAttribute BasketLine line,
      HttpServletRequest request,
      HttpServletResponse response) {
    return keep(Basket.of(request).with(line.name(), line.quantity()), request, response);
  }

  @PostMapping("/remove")
  ModelAndView remove(
      @RequestParam String name, HttpServletRequest request, HttpServletResponse response) {
    return keep(Basket.of(request).with(name, 0), request, response);
  }

  private static ModelAndView keep(
      Basket basket, HttpServletRequest request, HttpServletResponse response) {
    response.addHeader(HttpHeaders.SET_COOKIE, basket.cookie(request));
    return new ModelAndView("redirect:" + PATH);
  }

  /// Orders the basket of the form at the prices that it shows. That of the cookie may have changed
  /// since, on another page: only what was ordered is taken out of it.
  @PostMapping("/order")
  ModelAndView order(
      @Valid @ModelAttribute OrderForm form,
      HttpServletRequest request,
      HttpServletResponse response) {
    response.setHeader(IdempotencyKey.HEADER, form.key().value());
    Basket ordered = Basket.parse(form.basket());
    try {
      requirePrices(ordered);
      long number = orders.place(ORDER, form.key(), ordered.order());
      Basket left = Basket.of(request).without(ordered, number);
      response.addHeader(HttpHeaders.SET_COOKIE, left.cookie(request));
      return new ModelAndView("redirect:/find?number=" + number);
    } catch (ApiException e) {
      return page(ordered, e.status() >= 500 ? form.key().value() : null, e);
    }
  }

  /// A toy whose price was not shown is not ordered.
  private void requirePrices(Basket basket) {
    for (String name : basket.units().keySet()) {
      if (basket.price(name) == null) {
        throw catalog.findIfAvailable(name).isEmpty()
            ? ApiException.productNotFound()
            : ApiException.of(
                ErrorReason.PRICE_CHANGED, "the price of \"" + name + "\" was not shown");
      }
    }
  }

  /// @param key of the form that may have ordered: the page offers only to repeat it, at its
  ///   prices; null: the page shows the prices of now
  /// @param refusal of the last form
  private ModelAndView page(Basket basket, @Nullable String key, @Nullable ApiException refusal) {
    boolean repeats = key != null;
    String formKey = requireNonNullElseGet(key, ProductCard::newKey);
    List<ProductCard> lines =
        basket.units().entrySet().stream()
            .map(it -> line(basket, it.getKey(), it.getValue(), formKey, repeats))
            .toList();
    Basket shown = repeats ? basket : basket.priced(lines);
    int status = refusal == null ? 200 : refusal.status();
    return new ModelAndView("basket", HttpStatusCode.valueOf(status))
        .addObject("lines", lines)
        .addObject("total", ProductCard.total(lines))
        .addObject("key", formKey)
        .addObject("basket", shown.text())
        .addObject("problem", refusal == null ? null : ErrorTexts.ofBasket(refusal))
        .addObject("repeats", repeats);
  }

  /// A line whose price is another one than the form's says so.
  private ProductCard line(Basket basket, String name, int quantity, String key, boolean repeats) {
    ProductView product = catalog.findIfAvailable(name).orElse(null);
    BigDecimal before = basket.price(name);
    BigDecimal now = product == null ? null : product.price();
    if (repeats || before == null || now == null || before.compareTo(now) == 0) {
      return new ProductCard(name, product, key, quantity, repeats ? before : now, null);
    }
    var note = new ProductCard.Note(key, null, "the price was " + Price.of(before), null);
    return new ProductCard(name, product, key, quantity, now, note);
  }
}
