package toystore.frontend.exchange;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.validation.Valid;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import toystore.frontend.http.Answer;
import toystore.frontend.http.IdempotencyKey;
import toystore.frontend.http.PageQuery;
import toystore.frontend.http.PagedResponse;
import toystore.frontend.security.BearerToken;

/// `/api/exchange`: the exchange, for buyers, sellers and the administrator. An account belongs to
/// the bearer who created it.
@RestController
@RequestMapping("/api/exchange")
final class ExchangeController {
  private final ExchangeClient exchange;
  private final TradeFeed feed;

  ExchangeController(ExchangeClient exchange, TradeFeed feed) {
    this.exchange = exchange;
    this.feed = feed;
  }

  @PostMapping("/accounts")
  @ResponseStatus(HttpStatus.CREATED)
  Answer<Map<String, Object>> createAccount(
      @AuthenticationPrincipal BearerToken bearer,
      IdempotencyKey key,
      @Valid @RequestBody NewAccount body) {
    return exchange
        .createAccount(bearer, key, body.balance())
        .map(account -> body("account", account, null));
  }

  @GetMapping("/accounts")
  Map<String, Object> accounts(@AuthenticationPrincipal BearerToken bearer, PageQuery page) {
    return page("accounts", exchange.accounts(bearer, page.number(), page.size()));
  }

  @GetMapping("/accounts/{account}")
  Map<String, Object> account(
      @AuthenticationPrincipal BearerToken bearer, @PathVariable String account, PageQuery page) {
    var found = exchange.account(bearer, account, page.after(), page.size());
    return body("account", found.alone(), found.next());
  }

  @PostMapping("/accounts/{account}/shares")
  @ResponseStatus(HttpStatus.CREATED)
  Answer<Map<String, Object>> addShares(
      @AuthenticationPrincipal BearerToken bearer,
      IdempotencyKey key,
      @PathVariable String account,
      @Valid @RequestBody NewShares body) {
    return exchange
        .addShares(bearer, key, account, body.symbol(), body.shares())
        .map(position -> body("position", position, null));
  }

  @PostMapping("/accounts/{account}/orders")
  @ResponseStatus(HttpStatus.CREATED)
  Answer<Map<String, Object>> placeOrder(
      @AuthenticationPrincipal BearerToken bearer,
      IdempotencyKey key,
      @PathVariable String account,
      @Valid @RequestBody NewLimitOrder order) {
    return exchange
        .placeOrder(bearer, key, account, order)
        .map(placed -> body("order", placed, placed.next()));
  }

  @GetMapping("/accounts/{account}/orders")
  Map<String, Object> orders(
      @AuthenticationPrincipal BearerToken bearer, @PathVariable String account, PageQuery page) {
    return page("orders", exchange.orders(bearer, account, page.number(), page.size()));
  }

  @GetMapping("/accounts/{account}/orders/{order}")
  Map<String, Object> order(
      @AuthenticationPrincipal BearerToken bearer,
      @PathVariable String account,
      @PathVariable String order,
      PageQuery page) {
    var found = exchange.order(bearer, account, order, page.number(), page.size());
    return body("order", found, found.next());
  }

  /// Cancels what is open. An order that is not open any more is returned as it is.
  @DeleteMapping("/accounts/{account}/orders/{order}")
  Map<String, Object> cancelOrder(
      @AuthenticationPrincipal BearerToken bearer,
      @PathVariable String account,
      @PathVariable String order) {
    var canceled = exchange.cancelOrder(bearer, account, order);
    return body("order", canceled, canceled.next());
  }

  @GetMapping("/symbols")
  Map<String, Object> symbols(@AuthenticationPrincipal BearerToken bearer, PageQuery page) {
    return page("symbols", exchange.symbols(bearer, page.after(), page.size()));
  }

  @GetMapping("/symbols/{symbol}/depth")
  Map<String, Object> depth(
      @AuthenticationPrincipal BearerToken bearer, @PathVariable String symbol) {
    return Map.of("depth", exchange.depth(bearer, symbol));
  }

  @GetMapping("/symbols/{symbol}/trades")
  Map<String, Object> trades(
      @AuthenticationPrincipal BearerToken bearer, @PathVariable String symbol, PageQuery page) {
    return page("trades", exchange.trades(bearer, symbol, page.number(), page.size()));
  }

  @GetMapping("/feed")
  SseEmitter feed(
      @AuthenticationPrincipal BearerToken bearer,
      HttpServletRequest request,
      HttpServletResponse response) {
    return feed.open(bearer, request, response);
  }

  private static Map<String, Object> page(String name, PagedResponse<?> page) {
    return body(name, page.items(), page.next());
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
