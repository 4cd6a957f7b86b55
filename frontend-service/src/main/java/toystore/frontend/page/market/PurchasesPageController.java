package toystore.frontend.page.market;

import jakarta.servlet.http.HttpServletRequest;
import java.util.LinkedHashMap;
import java.util.stream.Collectors;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import toystore.frontend.carts.CartClient;
import toystore.frontend.carts.PurchasesPage;
import toystore.frontend.http.key.IdempotencyKey;
import toystore.frontend.http.paging.PagedResponse;
import toystore.frontend.items.ItemClient;
import toystore.frontend.page.form.FormPage;
import toystore.frontend.page.form.Notice;
import toystore.frontend.security.UserSession;

/// What a buyer bought: the receipts of the purchases, the newest first, with buttons to rate the
/// items.
@Controller
@RequestMapping("/market/purchases")
final class PurchasesPageController implements FormPage {
  private static final int PAGE_SIZE = 24;

  private final CartClient carts;
  private final ItemClient items;

  PurchasesPageController(CartClient carts, ItemClient items) {
    this.carts = carts;
    this.items = items;
  }

  @Override
  @GetMapping
  public String page(UserSession buyer, HttpServletRequest request, Model model) {
    long after = PagedResponse.parseAfter(request.getParameter("after"));
    PurchasesPage page = carts.purchases(buyer, true, after, PAGE_SIZE);
    model.addAttribute(
        "purchases",
        page.purchases().stream()
            .collect(
                Collectors.groupingBy(
                    PurchasesPage.Line::number, LinkedHashMap::new, Collectors.toList()))
            .values());
    model.addAttribute("units", page.itemsPurchased());
    model.addAttribute("next", page.next());
    return "market/purchases";
  }

  @PostMapping("/{item}/feedback")
  String giveFeedback(
      @AuthenticationPrincipal UserSession buyer,
      @PathVariable String item,
      @RequestParam IdempotencyKey key,
      @RequestParam(name = "feedback", defaultValue = "") String word) {
    items.giveFeedback(buyer, key, item, word);
    return Notice.FEEDBACK_GIVEN.at("/market/purchases");
  }
}
