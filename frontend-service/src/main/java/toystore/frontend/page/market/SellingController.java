package toystore.frontend.page.market;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;
import java.beans.PropertyEditorSupport;
import java.util.List;
import java.util.Map;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.WebDataBinder;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.InitBinder;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.util.WebUtils;
import toystore.frontend.accounts.AccountClient;
import toystore.frontend.carts.CartClient;
import toystore.frontend.http.json.Units;
import toystore.frontend.http.key.IdempotencyKey;
import toystore.frontend.http.money.Repricing;
import toystore.frontend.http.paging.PagedResponse;
import toystore.frontend.items.ItemClient;
import toystore.frontend.items.ItemView;
import toystore.frontend.items.NewItem;
import toystore.frontend.page.form.FormPage;
import toystore.frontend.page.form.Notice;
import toystore.frontend.security.UserSession;

/// A seller's own items and how many were sold: lists them, adds one, changes prices, removes
/// units.
@Controller
@RequestMapping("/market/selling")
final class SellingController implements FormPage {
  private static final String PATH = "/market/selling";
  private static final int PAGE_SIZE = 24;

  private final ItemClient items;
  private final AccountClient accounts;
  private final CartClient carts;

  SellingController(ItemClient items, AccountClient accounts, CartClient carts) {
    this.items = items;
    this.accounts = accounts;
    this.carts = carts;
  }

  /// Keywords are separated by commas or spaces.
  @InitBinder
  void splitKeywords(WebDataBinder binder) {
    binder.registerCustomEditor(
        List.class,
        new PropertyEditorSupport() {
          @Override
          public void setAsText(String text) {
            setValue(ItemClient.words(text, "[,\\s]+"));
          }
        });
  }

  /// A refused form for a new item keeps its fields, one for a price the new price.
  @Override
  @GetMapping
  public String page(UserSession seller, HttpServletRequest request, Model model) {
    long after = PagedResponse.parseAfter(request.getParameter("after"));
    var page = items.list(seller, after, PAGE_SIZE);
    List<Long> shown = page.items().stream().map(ItemView::itemId).toList();
    model.addAttribute("items", page.items());
    model.addAttribute("sold", carts.soldUnits(seller.accountId(), shown));
    model.addAttribute("next", page.next());
    model.addAttribute("rating", accounts.sellerRating(seller.accountId()));
    model.addAttribute("refused", request.getServletPath());
    model.addAttribute("refusedPrice", request.getParameter("price"));
    model.addAttribute(
        "draft",
        request.getServletPath().equals(PATH) && request.getAttribute(REFUSAL) != null
            ? WebUtils.getParametersStartingWith(request, "")
            : Map.of());
    return "market/selling";
  }

  @PostMapping
  String add(
      @AuthenticationPrincipal UserSession seller,
      @Valid @ModelAttribute NewItem item,
      @RequestParam IdempotencyKey key) {
    items.add(seller, key, item);
    return Notice.ITEM_ADDED.at(PATH);
  }

  @PostMapping("/{id}/price")
  String reprice(
      @AuthenticationPrincipal UserSession seller,
      @PathVariable String id,
      @Valid @ModelAttribute Repricing change) {
    items.reprice(seller, id, change);
    return Notice.PRICE_CHANGED.at(PATH);
  }

  /// @param seen how many units the seller saw, so that a form that is sent twice removes once
  @PostMapping("/{id}/remove")
  String removeUnits(
      @AuthenticationPrincipal UserSession seller,
      @PathVariable String id,
      @Valid @ModelAttribute Units removed,
      @RequestParam(defaultValue = "") String seen) {
    long expected = PagedResponse.parseNumber("seen", seen, 0, Long.MAX_VALUE);
    items.removeUnits(seller, id, removed.quantity(), expected);
    return Notice.UNITS_REMOVED.at(PATH);
  }
}
