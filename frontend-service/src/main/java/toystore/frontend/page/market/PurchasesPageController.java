package toystore.frontend.page.market;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
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
import toystore.frontend.carts.PurchaseClient;
import toystore.frontend.carts.PurchasesPage;
import toystore.frontend.http.ApiException;
import toystore.frontend.http.IdempotencyKey;
import toystore.frontend.http.PagedResponse;
import toystore.frontend.items.ItemFeedback;

/// What a buyer bought, the newest purchase first, with buttons to rate it.
@Controller
@RequestMapping("/market/purchases")
final class PurchasesPageController extends MarketController {
  private static final String PATH = "/market/purchases";
  private static final int PAGE_SIZE = 24;
  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("d MMMM uuuu", Locale.ENGLISH).withZone(ZoneOffset.UTC);

  private final PurchaseClient purchases;
  private final ItemFeedback feedback;

  PurchasesPageController(PurchaseClient purchases, ItemFeedback feedback) {
    this.purchases = purchases;
    this.feedback = feedback;
  }

  /// The day of a purchase, for the template.
  public record Days() {
    public String of(String timestamp) {
      return DAY.format(Instant.parse(timestamp));
    }
  }

  @GetMapping
  ModelAndView purchases(
      @RequestAttribute PageSession session, @RequestParam(defaultValue = "") String after) {
    return MarketPage.of("purchases", model(session, PagedResponse.parseAfter(after)));
  }

  @PostMapping("/{item}/feedback")
  ModelAndView giveFeedback(
      @RequestAttribute PageSession session,
      @PathVariable String item,
      @RequestParam IdempotencyKey key,
      @RequestParam(name = "feedback", defaultValue = "") String word,
      RedirectAttributes next) {
    try {
      feedback.give(session.buyer(), key, item, word);
      return MarketPage.redirect(PATH, Notice.FEEDBACK_GIVEN, next);
    } catch (ApiException e) {
      return MarketPage.again("purchases", e, key, model(session, 0));
    }
  }

  private Map<String, @Nullable Object> model(PageSession session, long after) {
    var page = purchases.list(session.buyer(), true, after, PAGE_SIZE);
    var model = new HashMap<String, @Nullable Object>();
    model.put(
        "purchases",
        page.purchases().stream()
            .collect(
                Collectors.groupingBy(
                    PurchasesPage.Line::number, LinkedHashMap::new, Collectors.toList()))
            .values());
    model.put("next", page.next());
    model.put("days", new Days());
    return model;
  }
}
