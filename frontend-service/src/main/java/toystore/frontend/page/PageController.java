package toystore.frontend.page;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.math.BigDecimal;
import java.util.List;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.servlet.ModelAndView;
import toystore.frontend.http.error.ApiException;
import toystore.frontend.http.paging.PagedResponse;
import toystore.frontend.orders.NewOrder.Trade;
import toystore.frontend.orders.OrderClient;
import toystore.frontend.orders.OrderView;
import toystore.frontend.products.ProductClient;
import toystore.frontend.products.ProductClient.StockTradeView;
import toystore.frontend.products.ProductView;

/// The pages that only read. `/` lists and searches products, `/find` shows an order. A client that
/// prefers HTML also gets a page at the paths of the API for a product and an order. Errors are
/// shown as texts for people, with the same HTTP status as in the API.
@Controller
final class PageController {
  private static final int MAX_QUERY = 200;
  private static final int MAX_PAGE = 10_000;
  private static final int MAX_TRADES = 200;

  private final ProductClient catalog;
  private final OrderClient orders;
  private final Categories categories;

  PageController(ProductClient catalog, OrderClient orders, Categories categories) {
    this.catalog = catalog;
    this.orders = orders;
    this.categories = categories;
  }

  record ApiRootLinks(String products, String stocks, String openapi) {}

  /// Links to the resources of the API that anyone can read, for programs.
  @GetMapping("/")
  @ResponseBody
  ApiRootLinks links(HttpServletRequest request, HttpServletResponse response) {
    response.setHeader(HttpHeaders.VARY, "Accept, HX-Request");
    String prefix = request.getContextPath();
    return new ApiRootLinks(prefix + "/products", prefix + "/stocks", prefix + "/openapi.json");
  }

  @GetMapping(
      path = {"/", "/products"},
      produces = MediaType.TEXT_HTML_VALUE)
  ModelAndView products(
      @RequestParam(defaultValue = "") String q,
      @RequestParam(defaultValue = "") String category,
      @RequestParam(defaultValue = "1") String page) {
    try {
      if (q.codePointCount(0, q.length()) > MAX_QUERY) {
        throw ApiException.badRequest("search text must be at most " + MAX_QUERY + " characters");
      }
      long number = PagedResponse.parseNumber("page", page, 1, MAX_PAGE);
      int skip = (int) (number - 1) * SearchPage.SIZE;
      ProductClient.FoundProducts found = catalog.find(q, category, skip, SearchPage.SIZE);
      return products(
          200,
          new SearchPage(
              q,
              category,
              categories.including(category),
              found.page().items().stream().map(product -> ProductCard.of(product, 1)).toList(),
              found.total(),
              number,
              null));
    } catch (ApiException e) {
      return products(
          e.status(), new SearchPage(q, category, List.of(), List.of(), 0, 1, ErrorTexts.of(e)));
    }
  }

  private static ModelAndView products(int status, SearchPage search) {
    return page("products", status).addObject("search", search);
  }

  /// @param quantity number of units in the form, for a total without a script
  @GetMapping(path = "/products/{name}", produces = MediaType.TEXT_HTML_VALUE)
  ModelAndView product(
      @PathVariable String name, @RequestParam(defaultValue = "1") String quantity) {
    return product(catalog.find(name).orElseThrow(ApiException::productNotFound), quantity);
  }

  @GetMapping(path = "/stocks/{name}", produces = MediaType.TEXT_HTML_VALUE)
  ModelAndView stock(@PathVariable String name, @RequestParam(defaultValue = "1") String quantity) {
    return product(catalog.findStock(name), quantity);
  }

  private ModelAndView product(ProductView product, String quantity) {
    long units = PagedResponse.parseNumber("quantity", quantity.strip(), 1, Integer.MAX_VALUE);
    var card = ProductCard.of(product, (int) units);
    List<StockTradeView> trades = card.isTraded() ? trades(product.name()) : List.of();
    return page("product", 200)
        .addObject("card", card)
        .addObject("trades", trades)
        .addObject("chart", PriceChart.of(trades.stream().map(PageController::bar).toList()));
  }

  /// Returns none if they cannot be read now: the stock can be traded all the same.
  private List<StockTradeView> trades(String stock) {
    try {
      return catalog.stockTrades(stock, MAX_TRADES);
    } catch (ApiException e) {
      return List.of();
    }
  }

  private static PriceChart.Bar bar(StockTradeView trade) {
    return new PriceChart.Bar(
        trade.price(),
        Price.of(trade.price()),
        BigDecimal.valueOf(trade.quantity()),
        Long.toString(trade.quantity()),
        trade.time());
  }

  /// Shows an order, or asks for its number.
  @GetMapping("/find")
  ModelAndView find(@RequestParam(defaultValue = "") String number) {
    String digits = number.strip();
    if (digits.isEmpty()) {
      return page("find", 200).addObject("problem", "").addObject("number", "");
    }
    try {
      OrderView order = orders.find(digits);
      String done = order.type() == null ? "" : Trade.of(order.type()).done();
      return page("order", 200)
          .addObject("order", order)
          .addObject("done", done)
          .addObject("total", Price.of(order.total()));
    } catch (ApiException e) {
      String problem = e.isNotFound() ? "There is no order " + digits + "." : ErrorTexts.of(e);
      return page("find", e.status()).addObject("problem", problem).addObject("number", digits);
    }
  }

  @GetMapping(path = "/orders/{number}", produces = MediaType.TEXT_HTML_VALUE)
  ModelAndView order(@PathVariable String number) {
    return find(number);
  }

  /// The API's list of orders is for the administrator; a customer is asked for a number.
  @GetMapping(path = "/orders", produces = MediaType.TEXT_HTML_VALUE)
  ModelAndView orders() {
    return find("");
  }

  private static ModelAndView page(String template, int status) {
    return new ModelAndView(template, HttpStatusCode.valueOf(status));
  }
}
