package toystore.frontend.exchange;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import toystore.frontend.http.BearerToken;
import toystore.frontend.http.IdempotencyKey;
import toystore.frontend.http.JsonBody;
import toystore.frontend.http.JsonResponse;
import toystore.frontend.http.PagedResponse;

/// `/api/exchange`: the exchange, for buyers, sellers and the administrator. An account belongs to
/// the bearer who created it.
@Controller
@RequestMapping("/api/exchange")
final class ExchangeController {
  private final ExchangeClient exchange;
  private final TradeFeed feed;

  ExchangeController(ExchangeClient exchange, TradeFeed feed) {
    this.exchange = exchange;
    this.feed = feed;
  }

  @PostMapping("/accounts")
  JsonResponse createAccount(BearerToken bearer, IdempotencyKey key, JsonBody body) {
    long balance = body.allowOnly("balance").fixedPoint("balance", ExchangeClient.CASH_DECIMALS, 0);
    return created("account", exchange.createAccount(bearer, key, balance), null);
  }

  @GetMapping("/accounts")
  JsonResponse accounts(
      BearerToken bearer,
      @RequestParam(defaultValue = "") String after,
      @RequestParam(defaultValue = "") String limit) {
    return page(
        "accounts",
        exchange.accounts(
            bearer, PagedResponse.parseAfter(after), PagedResponse.parseLimit(limit)));
  }

  @GetMapping("/accounts/{account}")
  JsonResponse account(
      BearerToken bearer,
      @PathVariable String account,
      @RequestParam(defaultValue = "") String after,
      @RequestParam(defaultValue = "") String limit) {
    var found = exchange.account(bearer, account, after, PagedResponse.parseLimit(limit));
    return JsonResponse.plain(200, body("account", found.alone(), found.next()));
  }

  @PostMapping("/accounts/{account}/shares")
  JsonResponse addShares(
      BearerToken bearer, IdempotencyKey key, @PathVariable String account, JsonBody body) {
    String symbol = NewLimitOrder.symbol(body.allowOnly("symbol", "shares"));
    long shares = body.fixedPoint("shares", NewLimitOrder.DECIMALS, 0);
    return created("position", exchange.addShares(bearer, key, account, symbol, shares), null);
  }

  @PostMapping("/accounts/{account}/orders")
  JsonResponse placeOrder(
      BearerToken bearer, IdempotencyKey key, @PathVariable String account, JsonBody body) {
    var placed = exchange.placeOrder(bearer, key, account, NewLimitOrder.of(body));
    return created("order", placed, placed.view().next());
  }

  @GetMapping("/accounts/{account}/orders")
  JsonResponse orders(
      BearerToken bearer,
      @PathVariable String account,
      @RequestParam(defaultValue = "") String after,
      @RequestParam(defaultValue = "") String limit) {
    return page(
        "orders",
        exchange.orders(
            bearer, account, PagedResponse.parseAfter(after), PagedResponse.parseLimit(limit)));
  }

  @GetMapping("/accounts/{account}/orders/{order}")
  JsonResponse order(
      BearerToken bearer,
      @PathVariable String account,
      @PathVariable String order,
      @RequestParam(defaultValue = "") String after,
      @RequestParam(defaultValue = "") String limit) {
    var found =
        exchange.order(
            bearer,
            account,
            order,
            PagedResponse.parseAfter(after),
            PagedResponse.parseLimit(limit));
    return JsonResponse.plain(200, body("order", found, found.next()));
  }

  /// Cancels what is open. An order that is not open any more is returned as it is.
  @DeleteMapping("/accounts/{account}/orders/{order}")
  JsonResponse cancelOrder(
      BearerToken bearer, @PathVariable String account, @PathVariable String order) {
    var canceled = exchange.cancelOrder(bearer, account, order);
    return JsonResponse.plain(200, body("order", canceled, canceled.next()));
  }

  @GetMapping("/symbols")
  JsonResponse symbols(
      BearerToken bearer,
      @RequestParam(defaultValue = "") String after,
      @RequestParam(defaultValue = "") String limit) {
    return page("symbols", exchange.symbols(bearer, after, PagedResponse.parseLimit(limit)));
  }

  @GetMapping("/symbols/{symbol}/depth")
  JsonResponse depth(BearerToken bearer, @PathVariable String symbol) {
    return JsonResponse.plain(200, Map.of("depth", exchange.depth(bearer, symbol)));
  }

  @GetMapping("/symbols/{symbol}/trades")
  JsonResponse trades(
      BearerToken bearer,
      @PathVariable String symbol,
      @RequestParam(defaultValue = "") String after,
      @RequestParam(defaultValue = "") String limit) {
    return page(
        "trades",
        exchange.trades(
            bearer, symbol, PagedResponse.parseAfter(after), PagedResponse.parseLimit(limit)));
  }

  @GetMapping("/feed")
  SseEmitter feed(BearerToken bearer, HttpServletRequest request, HttpServletResponse response) {
    return feed.open(bearer, request, response);
  }

  private static JsonResponse created(
      String name, ExchangeAnswer<?> answer, @Nullable Object next) {
    return JsonResponse.plain(201, body(name, answer.view(), next)).replayed(answer.replayed());
  }

  private static JsonResponse page(String name, PagedResponse<?> page) {
    return JsonResponse.plain(200, body(name, page.items(), page.next()));
  }

  /// @param next the value of `after` for the next page; null: there is none
  private static Map<String, Object> body(String name, Object value, @Nullable Object next) {
    var body = new LinkedHashMap<String, Object>();
    body.put(name, value);
    if (next != null) {
      body.put("next", next);
    }
    return body;
  }
}
