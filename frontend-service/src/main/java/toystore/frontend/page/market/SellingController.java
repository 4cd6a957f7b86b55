package toystore.frontend.page.market;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
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
import org.springframework.web.servlet.mvc.support.RedirectAttributes;
import org.springframework.web.util.WebUtils;
import toystore.frontend.accounts.AccountClient;
import toystore.frontend.http.ApiException;
import toystore.frontend.http.Decimal;
import toystore.frontend.http.Expected;
import toystore.frontend.http.IdempotencyKey;
import toystore.frontend.http.InvalidRequest;
import toystore.frontend.http.NewPrice;
import toystore.frontend.http.PagedResponse;
import toystore.frontend.http.Units;
import toystore.frontend.items.ItemClient;
import toystore.frontend.items.ItemCondition;
import toystore.frontend.items.NewItem;

/// A seller's own items: lists them, adds one, changes prices, removes units.
@Controller
@RequestMapping("/market/selling")
final class SellingController extends MarketController {
  private static final String PATH = "/market/selling";
  private static final int PAGE_SIZE = 24;

  private final ItemClient items;
  private final AccountClient accounts;
  private final InvalidRequest invalid;

  SellingController(ItemClient items, AccountClient accounts, InvalidRequest invalid) {
    this.items = items;
    this.accounts = accounts;
    this.invalid = invalid;
  }

  /// @param keywords separated by commas or spaces
  record ItemForm(
      @NotEmpty(message = Expected.TEXT) String name,
      @NotNull(message = "must be an integer from 0 to 2147483647")
          @Min(value = 0, message = "must be an integer from 0 to 2147483647")
          Integer category,
      @Nullable String keywords,
      @NotNull(message = "must be new or used") ItemCondition condition,
      @Decimal(min = "0.01", max = "1000000000.00", decimals = 2, message = Decimal.PRICE)
          BigDecimal price,
      @Min(value = 1, message = Expected.COUNT) int quantity) {
    NewItem item() {
      List<String> words =
          keywords == null
              ? List.of()
              : Stream.of(keywords.split("[,\\s]+")).filter(it -> !it.isEmpty()).toList();
      return new NewItem(name, category, words, condition, price, quantity);
    }
  }

  @GetMapping
  ModelAndView selling(
      @RequestAttribute PageSession session, @RequestParam(defaultValue = "") String after) {
    return MarketPage.of("selling", model(session, PagedResponse.parseAfter(after), Map.of()));
  }

  @PostMapping
  ModelAndView add(
      @RequestAttribute PageSession session,
      @Valid @ModelAttribute ItemForm form,
      BindingResult result,
      @RequestParam IdempotencyKey key,
      HttpServletRequest request,
      RedirectAttributes next) {
    try {
      invalid.check(result, ItemForm.class);
      items.add(session.seller(), key, form.item());
      return MarketPage.redirect(PATH, Notice.ITEM_ADDED, next);
    } catch (ApiException e) {
      var draft = WebUtils.getParametersStartingWith(request, "");
      return MarketPage.again("selling", e, key, model(session, 0, draft));
    }
  }

  @PostMapping("/{id}/price")
  ModelAndView reprice(
      @RequestAttribute PageSession session,
      @PathVariable String id,
      @Valid @ModelAttribute NewPrice changed,
      BindingResult result,
      RedirectAttributes next) {
    return change(
        session,
        next,
        Notice.PRICE_CHANGED,
        () -> {
          invalid.check(result, NewPrice.class);
          items.reprice(session.seller(), id, changed.cents());
        });
  }

  /// @param seen how many units the seller saw, so that a form that is sent twice removes once
  @PostMapping("/{id}/remove")
  ModelAndView removeUnits(
      @RequestAttribute PageSession session,
      @PathVariable String id,
      @Valid @ModelAttribute Units removed,
      BindingResult result,
      @RequestParam(defaultValue = "") String seen,
      RedirectAttributes next) {
    return change(
        session,
        next,
        Notice.UNITS_REMOVED,
        () -> {
          invalid.check(result, Units.class);
          items.removeUnits(
              session.seller(),
              id,
              removed.quantity(),
              PagedResponse.parseNumber("seen", seen, 0, Long.MAX_VALUE));
        });
  }

  private ModelAndView change(
      PageSession session, RedirectAttributes next, Notice notice, Runnable change) {
    try {
      change.run();
      return MarketPage.redirect(PATH, notice, next);
    } catch (ApiException e) {
      return MarketPage.of(PageMessage.ofUnkeyed(e), "selling", model(session, 0, Map.of()));
    }
  }

  /// @param draft the fields of a form that was refused; empty: a new form
  private Map<String, @Nullable Object> model(
      PageSession session, long after, Map<String, ?> draft) {
    var page = items.list(session.seller(), after, PAGE_SIZE);
    var model = new HashMap<String, @Nullable Object>();
    model.put("items", page.items());
    model.put("next", page.next());
    model.put("rating", accounts.sellerRating(session.seller().sellerId()));
    model.put("draft", draft);
    return model;
  }
}
