package toystore.frontend.page.market;

import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.stream.Collectors;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;
import toystore.frontend.carts.PurchaseClient;
import toystore.frontend.carts.PurchasesPage;
import toystore.frontend.http.key.IdempotencyKey;
import toystore.frontend.http.paging.PagedResponse;
import toystore.frontend.items.ItemFeedback;
import toystore.frontend.page.form.FormPage;
import toystore.frontend.page.form.Notice;
import toystore.frontend.security.UserSession;

/// What a buyer bought: the receipts of the purchases, the newest first, with buttons to rate the
/// items.
@Controller
@RequestMapping("/market/purchases")
final class PurchasesPageController implements FormPage {
  private static final int PAGE_SIZE = 24;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("d MMMM uuuu 'at' HH:mm 'UTC'", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);

  private final PurchaseClient purchases;
  private final ItemFeedback feedback;

  PurchasesPageController(PurchaseClient purchases, ItemFeedback feedback) {
    this.purchases = purchases;
    this.feedback = feedback;
  }

  /// The time of a purchase, for the template.
  public record Times() {
    public String of(String timestamp) {
      return TIME.format(Instant.parse(timestamp));
    }
  }

  @Override
  @GetMapping
  public String page(UserSession buyer, HttpServletRequest request, Model model) {
    long after = PagedResponse.parseAfter(request.getParameter("after"));
    PurchasesPage page = purchases.list(buyer, true, after, PAGE_SIZE);
    model.addAttribute(
        "purchases",
        page.purchases().stream()
            .collect(
                Collectors.groupingBy(
                    PurchasesPage.Line::number, LinkedHashMap::new, Collectors.toList()))
            .values());
    model.addAttribute("units", page.itemsPurchased());
    model.addAttribute("next", page.next());
    model.addAttribute("times", new Times());
    return "market/purchases";
  }

  @PostMapping("/{item}/feedback")
  String giveFeedback(
      @AuthenticationPrincipal UserSession buyer,
      @PathVariable String item,
      @RequestParam IdempotencyKey key,
      @RequestParam(name = "feedback", defaultValue = "") String word,
      RedirectAttributes next) {
    feedback.give(buyer, key, item, word);
    return Notice.FEEDBACK_GIVEN.at("/market/purchases", next);
  }
}
