package toystore.frontend.exchange;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.validation.Valid;
import java.util.List;
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
import toystore.frontend.exchange.ExchangeClient.DepthView;
import toystore.frontend.exchange.ExchangeClient.TradeView;
import toystore.frontend.exchange.ExchangeInput.NewAccount;
import toystore.frontend.exchange.ExchangeInput.NewLimitOrder;
import toystore.frontend.exchange.ExchangeInput.NewShares;
import toystore.frontend.http.key.IdempotencyKey;
import toystore.frontend.http.paging.PageQuery;
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

  record AccountBody(ExchangeAccountView account, @Nullable String next) {}

  record AccountsBody(List<ExchangeAccountView> accounts, @Nullable Object next) {}

  record PositionBody(ExchangeAccountView.PositionView position) {}

  record OrderBody(ExchangeOrderView order, @Nullable Long next) {
    OrderBody(ExchangeOrderView order) {
      this(order, order.next());
    }
  }

  record OrdersBody(List<ExchangeOrderView> orders, @Nullable Object next) {}

  record SymbolsBody(List<String> symbols, @Nullable Object next) {}

  record DepthBody(DepthView depth) {}

  record TradesBody(List<TradeView> trades, @Nullable Object next) {}

  @PostMapping("/accounts")
  @ResponseStatus(HttpStatus.CREATED)
  AccountBody createAccount(
      @AuthenticationPrincipal BearerToken bearer,
      IdempotencyKey key,
      @Valid @RequestBody NewAccount body) {
    return new AccountBody(exchange.createAccount(bearer, key, body.balance()), null);
  }

  @GetMapping("/accounts")
  AccountsBody accounts(@AuthenticationPrincipal BearerToken bearer, PageQuery page) {
    var found = exchange.accounts(bearer, page.number(), page.size());
    return new AccountsBody(found.items(), found.next());
  }

  @GetMapping("/accounts/{account}")
  AccountBody account(
      @AuthenticationPrincipal BearerToken bearer, @PathVariable String account, PageQuery page) {
    var found = exchange.account(bearer, account, page.after(), page.size());
    return new AccountBody(found.alone(), found.next());
  }

  @PostMapping("/accounts/{account}/shares")
  @ResponseStatus(HttpStatus.CREATED)
  PositionBody addShares(
      @AuthenticationPrincipal BearerToken bearer,
      IdempotencyKey key,
      @PathVariable String account,
      @Valid @RequestBody NewShares body) {
    return new PositionBody(exchange.addShares(bearer, key, account, body));
  }

  @PostMapping("/accounts/{account}/orders")
  @ResponseStatus(HttpStatus.CREATED)
  OrderBody placeOrder(
      @AuthenticationPrincipal BearerToken bearer,
      IdempotencyKey key,
      @PathVariable String account,
      @Valid @RequestBody NewLimitOrder order) {
    return new OrderBody(exchange.placeOrder(bearer, key, account, order));
  }

  @GetMapping("/accounts/{account}/orders")
  OrdersBody orders(
      @AuthenticationPrincipal BearerToken bearer, @PathVariable String account, PageQuery page) {
    var found = exchange.orders(bearer, account, page.number(), page.size());
    return new OrdersBody(found.items(), found.next());
  }

  @GetMapping("/accounts/{account}/orders/{order}")
  OrderBody order(
      @AuthenticationPrincipal BearerToken bearer,
      @PathVariable String account,
      @PathVariable String order,
      PageQuery page) {
    return new OrderBody(exchange.order(bearer, account, order, page.number(), page.size()));
  }

  /// Cancels what is open. An order that is not open any more is returned as it is.
  @DeleteMapping("/accounts/{account}/orders/{order}")
  OrderBody cancelOrder(
      @AuthenticationPrincipal BearerToken bearer,
      @PathVariable String account,
      @PathVariable String order) {
    return new OrderBody(exchange.cancelOrder(bearer, account, order));
  }

  @GetMapping("/symbols")
  SymbolsBody symbols(@AuthenticationPrincipal BearerToken bearer, PageQuery page) {
    var found = exchange.symbols(bearer, page.after(), page.size());
    return new SymbolsBody(found.items(), found.next());
  }

  @GetMapping("/symbols/{symbol}/depth")
  DepthBody depth(@AuthenticationPrincipal BearerToken bearer, @PathVariable String symbol) {
    return new DepthBody(exchange.depth(bearer, symbol));
  }

  @GetMapping("/symbols/{symbol}/trades")
  TradesBody trades(
      @AuthenticationPrincipal BearerToken bearer, @PathVariable String symbol, PageQuery page) {
    var found = exchange.trades(bearer, symbol, page.number(), page.size());
    return new TradesBody(found.items(), found.next());
  }

  @GetMapping("/feed")
  SseEmitter feed(
      @AuthenticationPrincipal BearerToken bearer,
      HttpServletRequest request,
      HttpServletResponse response) {
    return feed.open(bearer, request, response);
  }
}
