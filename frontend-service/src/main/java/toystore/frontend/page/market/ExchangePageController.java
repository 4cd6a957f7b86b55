package toystore.frontend.page.market;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.validation.Valid;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.util.WebUtils;
import toystore.frontend.exchange.ExchangeAccountView;
import toystore.frontend.exchange.ExchangeClient;
import toystore.frontend.exchange.ExchangeClient.DepthView;
import toystore.frontend.exchange.ExchangeClient.TradeView;
import toystore.frontend.exchange.ExchangeInput.NewAccount;
import toystore.frontend.exchange.ExchangeInput.NewLimitOrder;
import toystore.frontend.exchange.ExchangeInput.NewShares;
import toystore.frontend.exchange.ExchangeOrderView;
import toystore.frontend.exchange.TradeFeed;
import toystore.frontend.http.error.ApiException;
import toystore.frontend.http.key.IdempotencyKey;
import toystore.frontend.http.paging.PagedResponse;
import toystore.frontend.page.DepthChart;
import toystore.frontend.page.PriceChart;
import toystore.frontend.page.form.FormPage;
import toystore.frontend.page.form.Notice;
import toystore.frontend.security.BearerToken;
import toystore.frontend.security.UserSession;
import toystore.platform.error.ErrorReason;
import toystore.platform.text.Limits;

/// The page of the exchange, for buyers and sellers: depth and trades of one symbol, and one of the
/// user's accounts with its orders. A script keeps it up to date with the same feed as the API's;
/// without a script, it shows the state when it was requested.
@Controller
@RequestMapping("/exchange")
final class ExchangePageController implements FormPage {
  private static final int SHOWN = 20;
  private static final int CHARTED = 100;

  private static final Pattern ACCOUNT = Pattern.compile("/accounts/([^/]+)/");

  private final ExchangeClient exchange;
  private final TradeFeed feed;

  ExchangePageController(ExchangeClient exchange, TradeFeed feed) {
    this.exchange = exchange;
    this.feed = feed;
  }

  /// A refused form keeps its fields.
  @Override
  @GetMapping
  public String page(UserSession user, HttpServletRequest request, Model model) {
    var draft = WebUtils.getParametersStartingWith(request, "");
    String path = request.getServletPath();
    Matcher form = ACCOUNT.matcher(path);
    String account = form.find() ? form.group(1) : text(draft, "account");
    BearerToken bearer = user.token();
    var accounts = exchange.accounts(bearer, 0, Limits.MAX_PAGE).items();
    List<String> symbols = exchange.symbols(bearer, "", Limits.MAX_PAGE).items();
    ExchangeAccountView own = own(bearer, accounts, account, text(draft, "positions"));
    String asked = text(draft, "symbol").strip();
    String symbol = asked.isEmpty() && !symbols.isEmpty() ? symbols.getFirst() : asked;
    DepthView depth = depth(bearer, symbol);
    List<TradeView> trades =
        depth == null ? List.of() : exchange.trades(bearer, symbol, 0, CHARTED).items();
    long before = PagedResponse.parseAfter(text(draft, "orders"));
    PagedResponse<ExchangeOrderView> orders =
        own == null
            ? new PagedResponse<>(List.of(), null)
            : exchange.orders(bearer, Long.toString(own.accountId()), before, SHOWN);
    model.addAttribute("accounts", accounts);
    model.addAttribute("symbols", symbols);
    model.addAttribute("own", own);
    model.addAttribute("symbol", symbol);
    model.addAttribute("depth", depth);
    model.addAttribute("latest", trades.subList(0, Math.min(SHOWN, trades.size())));
    model.addAttribute("depthChart", depth == null ? null : DepthChart.of(depth));
    model.addAttribute(
        "priceChart", PriceChart.of(trades.stream().map(ExchangePageController::bar).toList()));
    model.addAttribute("lastTrade", trades.isEmpty() ? 0 : trades.getFirst().tradeId());
    model.addAttribute("orders", orders.items());
    model.addAttribute("olderOrders", orders.next());
    model.addAttribute("draft", request.getAttribute(REFUSAL) == null ? Map.of() : draft);
    return "market/exchange";
  }

  private static PriceChart.Bar bar(TradeView trade) {
    return new PriceChart.Bar(
        new BigDecimal(trade.price()),
        trade.price(),
        new BigDecimal(trade.shares()),
        trade.shares(),
        trade.executedAt());
  }

  private static String text(Map<String, Object> parameters, String name) {
    return String.valueOf(parameters.getOrDefault(name, ""));
  }

  @GetMapping("/feed")
  SseEmitter feed(
      @AuthenticationPrincipal UserSession user,
      HttpServletRequest request,
      HttpServletResponse response) {
    return feed.open(user.token(), request, response);
  }

  @PostMapping("/accounts")
  String openAccount(
      @AuthenticationPrincipal UserSession user,
      @Valid @ModelAttribute NewAccount account,
      @RequestParam IdempotencyKey key) {
    var opened = exchange.createAccount(user.token(), key, account.balance());
    return Notice.ACCOUNT_OPENED.at("/exchange?account=" + opened.accountId());
  }

  @PostMapping("/accounts/{account}/shares")
  String addShares(
      @AuthenticationPrincipal UserSession user,
      @PathVariable String account,
      @Valid @ModelAttribute NewShares added,
      @RequestParam IdempotencyKey key) {
    exchange.addShares(user.token(), key, account, added);
    return Notice.SHARES_ADDED.at(path(account, added.symbol()));
  }

  @PostMapping("/accounts/{account}/orders")
  String placeOrder(
      @AuthenticationPrincipal UserSession user,
      @PathVariable String account,
      @Valid @ModelAttribute NewLimitOrder order,
      @RequestParam IdempotencyKey key) {
    exchange.placeOrder(user.token(), key, account, order);
    return Notice.ORDER_PLACED.at(path(account, order.symbol()));
  }

  @PostMapping("/accounts/{account}/orders/{order}/cancel")
  String cancelOrder(
      @AuthenticationPrincipal UserSession user,
      @PathVariable String account,
      @PathVariable String order) {
    var canceled = exchange.cancelOrder(user.token(), account, order);
    return Notice.ORDER_CANCELED.at(path(account, canceled.symbol()));
  }

  /// The exchange has accepted the account as a number.
  private static String path(String account, String symbol) {
    return "/exchange?account=" + account + "&symbol=" + symbol;
  }

  /// Returns the account that was asked for, or the first one if there is no such account; null if
  /// the user has none.
  private @Nullable ExchangeAccountView own(
      BearerToken bearer, List<ExchangeAccountView> accounts, String account, String positions) {
    if (!account.isEmpty()) {
      try {
        return exchange.account(bearer, account, positions, SHOWN);
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
      if (e.reason() == ErrorReason.SYMBOL_NOT_FOUND) {
        return null;
      }
      throw e;
    }
  }
}
