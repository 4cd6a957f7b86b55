package toystore.frontend.page.admin;

import java.util.List;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import toystore.frontend.audit.AuditEndpoint;
import toystore.frontend.exchange.ExchangeClient;
import toystore.frontend.http.RequestLimiter;
import toystore.frontend.http.paging.PagedResponse;
import toystore.frontend.orders.OrderClient;
import toystore.frontend.products.ProductClient;

/// The pages that only read: orders, recorded changes, the exchange's symbols, and the audit.
@Controller
@RequestMapping("/admin")
final class AdminListsController {
  private static final int PAGE_SIZE = 50;
  private static final int SHOWN_TRADES = 20;

  private final OrderClient orders;
  private final ProductClient catalog;
  private final ExchangeClient exchange;
  private final AuditEndpoint audit;
  private final RequestLimiter limiter;

  AdminListsController(
      OrderClient orders,
      ProductClient catalog,
      ExchangeClient exchange,
      AuditEndpoint audit,
      RequestLimiter limiter) {
    this.orders = orders;
    this.catalog = catalog;
    this.exchange = exchange;
    this.audit = audit;
    this.limiter = limiter;
  }

  /// @param from the highest number, because the newest comes first; empty: the newest
  @GetMapping("/orders")
  String orders(@RequestParam(defaultValue = "") String from, Model model) {
    long highest =
        from.isEmpty()
            ? Long.MAX_VALUE
            : PagedResponse.parseNumber("from", from, 0, Long.MAX_VALUE);
    model.addAttribute("from", from);
    return show(orders.newest(highest, PAGE_SIZE), model, "admin/orders");
  }

  /// @param product part of a product's name; empty: all
  /// @param by part of who made the change; empty: all
  @GetMapping("/changes")
  String changes(
      @RequestParam(defaultValue = "") String before,
      @RequestParam(defaultValue = "") String product,
      @RequestParam(defaultValue = "") String by,
      Model model) {
    model.addAttribute("product", product);
    model.addAttribute("by", by);
    return show(
        catalog.changes(PagedResponse.parseAfter(before), product, by, PAGE_SIZE),
        model,
        "admin/changes");
  }

  @GetMapping("/symbols")
  String symbols(
      @RequestParam(defaultValue = "") String symbol,
      @RequestParam(defaultValue = "") String after,
      Model model) {
    model.addAttribute("symbol", symbol);
    if (symbol.isEmpty()) {
      return show(exchange.symbols(null, after, PAGE_SIZE), model, "admin/symbols");
    }
    model.addAttribute("depth", exchange.depth(null, symbol));
    return show(exchange.trades(null, symbol, 0, SHOWN_TRADES), model, "admin/symbols");
  }

  private static String show(PagedResponse<?> page, Model model, String template) {
    model.addAttribute("items", page.items());
    model.addAttribute("next", page.next());
    return template;
  }

  /// @param run `new` or `full`; empty: shows only the form
  @GetMapping("/audit")
  String audit(@RequestParam(defaultValue = "") String run, Model model)
      throws InterruptedException {
    model.addAttribute(
        "report",
        List.of("new", "full").contains(run)
            ? limiter.waitOutsideLimit(() -> audit.run(run.equals("full")))
            : null);
    return "admin/audit";
  }
}
