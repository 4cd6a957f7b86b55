package toystore.frontend.page.market;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;
import toystore.frontend.accounts.AccountClient;
import toystore.frontend.http.ApiErrorReason;
import toystore.frontend.http.ApiException;
import toystore.frontend.http.DecimalAmounts;
import toystore.frontend.http.FormBody;
import toystore.frontend.http.PagedResponse;
import toystore.frontend.items.ItemClient;
import toystore.frontend.items.ItemCondition;
import toystore.frontend.items.NewItem;

/// A seller's own items: lists them, adds one, changes prices, removes units.
@Controller
@RequestMapping("/market/selling")
final class SellingController {
  private static final String PATH = "/market/selling";
  private static final int PAGE_SIZE = 24;

  private final ItemClient items;
  private final AccountClient accounts;

  SellingController(ItemClient items, AccountClient accounts) {
    this.items = items;
    this.accounts = accounts;
  }

  @GetMapping
  ModelAndView selling(
      @RequestAttribute PageSession session, @RequestParam(defaultValue = "") String after) {
    return MarketPage.of("selling", model(session, PagedResponse.parseAfter(after), Map.of()));
  }

  @PostMapping
  ModelAndView add(@RequestAttribute PageSession session, FormBody form, RedirectAttributes next) {
    try {
      items.add(session.seller(), form.key(), newItem(form));
      return MarketPage.redirect(PATH, Notice.ITEM_ADDED, next);
    } catch (ApiException e) {
      return MarketPage.again("selling", e, form, model(session, 0, form.fields()));
    }
  }

  @PostMapping("/{id}/price")
  ModelAndView reprice(
      @RequestAttribute PageSession session,
      @PathVariable String id,
      FormBody form,
      RedirectAttributes next) {
    return change(
        session,
        next,
        Notice.PRICE_CHANGED,
        () -> items.reprice(session.seller(), id, form.priceCents("price")));
  }

  /// The form says how many units the seller saw, so that a form that is sent twice removes once.
  @PostMapping("/{id}/remove")
  ModelAndView removeUnits(
      @RequestAttribute PageSession session,
      @PathVariable String id,
      FormBody form,
      RedirectAttributes next) {
    return change(
        session,
        next,
        Notice.UNITS_REMOVED,
        () -> {
          if (!Long.toString(items.find(id).quantity()).equals(form.text("seen"))) {
            throw ApiException.of(
                ApiErrorReason.INVALID,
                "the number of units has changed since you opened the page");
          }
          items.removeUnits(session.seller(), id, form.count("quantity"));
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

  private static NewItem newItem(FormBody form) {
    String keywords = form.optionalText("keywords").orElse("");
    return new NewItem(
        form.text("name"),
        (int) form.number("category", 0, Integer.MAX_VALUE),
        Stream.of(keywords.split("[,\\s]+")).filter(it -> !it.isEmpty()).toList(),
        form.choice("condition", ItemCondition.class),
        DecimalAmounts.ofCents(form.priceCents("price")),
        form.count("quantity"));
  }

  /// @param draft the fields of a form that was refused; empty: a new form
  private Map<String, @Nullable Object> model(
      PageSession session, long after, Map<String, String> draft) {
    var page = items.list(session.seller(), after, PAGE_SIZE);
    var model = new HashMap<String, @Nullable Object>();
    model.put("items", page.items());
    model.put("next", page.next());
    model.put("rating", accounts.sellerRating(session.seller().sellerId()));
    model.put("draft", draft);
    return model;
  }
}
