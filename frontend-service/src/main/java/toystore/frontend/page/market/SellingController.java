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
import toystore.frontend.accounts.AccountClient;
import toystore.frontend.http.ApiErrorReason;
import toystore.frontend.http.ApiException;
import toystore.frontend.http.DecimalAmounts;
import toystore.frontend.http.FormBody;
import toystore.frontend.http.HttpReply;
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
  private final MarketRenderer renderer;

  SellingController(ItemClient items, AccountClient accounts, MarketRenderer renderer) {
    this.items = items;
    this.accounts = accounts;
    this.renderer = renderer;
  }

  @GetMapping
  HttpReply selling(
      @RequestAttribute PageSession session, @RequestParam(defaultValue = "") String after) {
    return renderer.page(
        session,
        PageMessage.NONE,
        "selling",
        model(session, PagedResponse.parseAfter(after), Map.of()));
  }

  @PostMapping
  HttpReply add(@RequestAttribute PageSession session, FormBody form) {
    try {
      items.add(session.seller(), form.key(), newItem(form));
      return renderer.redirect(PATH, Notice.ITEM_ADDED);
    } catch (ApiException e) {
      return renderer.page(
          session,
          PageMessage.of(e),
          MarketRenderer.keyAfter(e, form),
          "selling",
          model(session, 0, form.fields()));
    }
  }

  @PostMapping("/{id}/price")
  HttpReply reprice(@RequestAttribute PageSession session, @PathVariable String id, FormBody form) {
    return change(
        session,
        Notice.PRICE_CHANGED,
        () -> items.reprice(session.seller(), id, form.priceCents("price")));
  }

  /// The form says how many units the seller saw, so that a form that is sent twice removes once.
  @PostMapping("/{id}/remove")
  HttpReply removeUnits(
      @RequestAttribute PageSession session, @PathVariable String id, FormBody form) {
    return change(
        session,
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

  private HttpReply change(PageSession session, Notice notice, Runnable change) {
    try {
      change.run();
      return renderer.redirect(PATH, notice);
    } catch (ApiException e) {
      return renderer.page(
          session, PageMessage.ofUnkeyed(e), "selling", model(session, 0, Map.of()));
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
