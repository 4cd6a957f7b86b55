package toystore.frontend.page.market;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.validation.Valid;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.validation.BindingResult;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;
import org.springframework.web.util.WebUtils;
import toystore.frontend.exchange.DepthView;
import toystore.frontend.exchange.ExchangeAccountView;
import toystore.frontend.exchange.ExchangeClient;
import toystore.frontend.exchange.ExchangeOrderView;
import toystore.frontend.exchange.NewAccount;
import toystore.frontend.exchange.NewLimitOrder;
import toystore.frontend.exchange.NewShares;
import toystore.frontend.exchange.TradeFeed;
import toystore.frontend.exchange.TradeView;
import toystore.frontend.http.ApiErrorReason;
import toystore.frontend.http.ApiException;
import toystore.frontend.http.BearerToken;
import toystore.frontend.http.IdempotencyKey;
import toystore.frontend.http.InvalidRequest;
import toystore.frontend.http.PagedResponse;
import toystore.platform.text.Limits;

/// The page of the exchange, for buyers and sellers: depth and trades of one symbol, and one of the
/// user's accounts with its orders. A script keeps it up to date with the same feed as the API's;
/// without a script, it shows the state when it was requested.
@Controller
@RequestMapping("/exchange")
final class ExchangePageController extends MarketController {
  private static final int SHOWN = 20;

  /// What the page shows. Empty or 0: the first.
  ///
  /// @param positions symbol after which the positions begin
  /// @param orders number before which the orders begin
  private record Shown(String account, String symbol, String positions, long orders) {}

  private final ExchangeClient exchange;
  private final TradeFeed feed;
  private final InvalidRequest invalid;

  ExchangePageController(ExchangeClient exchange, TradeFeed feed, InvalidRequest invalid) {
    this.exchange = exchange;
    this.feed = feed;
    this.invalid = invalid;
  }

  @GetMapping
  ModelAndView exchange(
      @RequestAttribute PageSession session,
      @RequestParam(defaultValue = "") String account,
      @RequestParam(defaultValue = "") String symbol,
      @RequestParam(defaultValue = "") String positions,
      @RequestParam(defaultValue = "") String orders) {
    var shown = new Shown(account, symbol, positions, PagedResponse.parseAfter(orders));
    return MarketPage.of("exchange", model(session.token(), shown, Map.of()));
  }

  @GetMapping("/feed")
  SseEmitter feed(
      @RequestAttribute PageSession session,
      HttpServletRequest request,
      HttpServletResponse response) {
    return feed.open(session.token(), request, response);
  }

  @PostMapping("/accounts")
  ModelAndView openAccount(
      @RequestAttribute PageSession session,
      @Valid @ModelAttribute NewAccount account,
      BindingResult result,
      @RequestParam IdempotencyKey key,
      HttpServletRequest request,
      RedirectAttributes next) {
    try {
      invalid.check(result, NewAccount.class);
      var opened = exchange.createAccount(session.token(), key, account.balance()).view();
      return redirect(opened.accountId(), "", Notice.ACCOUNT_OPENED, next);
    } catch (ApiException e) {
      return again(session, "", request, key, e);
    }
  }

  @PostMapping("/accounts/{account}/shares")
  ModelAndView addShares(
      @RequestAttribute PageSession session,
      @PathVariable String account,
      @Valid @ModelAttribute NewShares added,
      BindingResult result,
      @RequestParam IdempotencyKey key,
      HttpServletRequest request,
      RedirectAttributes next) {
    try {
      invalid.check(result, NewShares.class);
      exchange.addShares(session.token(), key, account, added.symbol(), added.shares());
      return redirect(number(account), added.symbol(), Notice.SHARES_ADDED, next);
    } catch (ApiException e) {
      return again(session, account, request, key, e);
    }
  }

  @PostMapping("/accounts/{account}/orders")
  ModelAndView placeOrder(
      @RequestAttribute PageSession session,
      @PathVariable String account,
      @Valid @ModelAttribute NewLimitOrder order,
      BindingResult result,
      @RequestParam IdempotencyKey key,
      HttpServletRequest request,
      RedirectAttributes next) {
    try {
      invalid.check(result, NewLimitOrder.class);
      exchange.placeOrder(session.token(), key, account, order);
      return redirect(number(account), order.symbol(), Notice.ORDER_PLACED, next);
    } catch (ApiException e) {
      return again(session, account, request, key, e);
    }
  }

  @PostMapping("/accounts/{account}/orders/{order}/cancel")
  ModelAndView cancelOrder(
      @RequestAttribute PageSession session,
      @PathVariable String account,
      @PathVariable String order,
      @RequestParam IdempotencyKey key,
      HttpServletRequest request,
      RedirectAttributes next) {
    try {
      var canceled = exchange.cancelOrder(session.token(), account, order);
      return redirect(canceled.accountId(), canceled.symbol(), Notice.ORDER_CANCELED, next);
    } catch (ApiException e) {
      return again(session, account, request, key, e)
          .addObject(MarketController.MESSAGE, PageMessage.ofUnkeyed(e));
    }
  }

  private ModelAndView again(
      PageSession session,
      String account,
      HttpServletRequest request,
      IdempotencyKey key,
      ApiException error) {
    var draft = WebUtils.getParametersStartingWith(request, "");
    var shown = new Shown(account, String.valueOf(draft.getOrDefault("symbol", "")).strip(), "", 0);
    return MarketPage.again("exchange", error, key, model(session.token(), shown, draft));
  }

  private static ModelAndView redirect(
      long account, String symbol, Notice notice, RedirectAttributes next) {
    return MarketPage.redirect(
        "/exchange?account=" + account + (symbol.isEmpty() ? "" : "&symbol=" + symbol),
        notice,
        next);
  }

  /// The exchange has accepted it as a number.
  private static long number(String account) {
    return Long.parseLong(account);
  }

  /// @param draft the fields of a form that was refused; empty: a new form
  private Map<String, @Nullable Object> model(
      BearerToken bearer, Shown shown, Map<String, ?> draft) {
    var accounts = exchange.accounts(bearer, 0, Limits.MAX_PAGE).items();
    List<String> symbols = exchange.symbols(bearer, "", Limits.MAX_PAGE).items();
    ExchangeAccountView own = own(bearer, accounts, shown);
    String symbol =
        shown.symbol.isEmpty() && !symbols.isEmpty() ? symbols.getFirst() : shown.symbol;
    DepthView depth = depth(bearer, symbol);
    List<TradeView> trades =
        depth == null ? List.of() : exchange.trades(bearer, symbol, 0, SHOWN).items();
    PagedResponse<ExchangeOrderView> orders =
        own == null
            ? new PagedResponse<>(List.of(), null)
            : exchange.orders(bearer, Long.toString(own.accountId()), shown.orders, SHOWN);
    var model = new HashMap<String, @Nullable Object>();
    model.put("accounts", accounts);
    model.put("symbols", symbols);
    model.put("own", own);
    model.put("symbol", symbol);
    model.put("depth", depth);
    model.put("trades", trades);
    model.put("lastTrade", trades.isEmpty() ? 0 : trades.getFirst().tradeId());
    model.put("orders", orders.items());
    model.put("olderOrders", orders.next());
    model.put("draft", draft);
    return model;
  }

  /// Returns the account that was asked for, or the first one if there is no such account; null if
  /// the user has none.
  private @Nullable ExchangeAccountView own(
      BearerToken bearer, List<ExchangeAccountView> accounts, Shown shown) {
    if (!shown.account.isEmpty()) {
      try {
        return exchange.account(bearer, shown.account, shown.positions, SHOWN);
      } catch (ApiException e) {
        if (e.status() != 404) {
          throw e;
        }
      }
    }
    return accounts.isEmpty()
        ? null
        : exchange.account(bearer, Long.toString(accounts.getFirst().accountId()), "", SHOWN);
  }

  /// Returns null if nobody has received shares of the symbol yet.
  private @Nullable DepthView depth(BearerToken bearer, String symbol) {
    try {
      return symbol.isEmpty() ? null : exchange.depth(bearer, symbol);
    } catch (ApiException e) {
      if (e.reason() == ApiErrorReason.SYMBOL_NOT_FOUND) {
        return null;
      }
      throw e;
    }
  }
}
