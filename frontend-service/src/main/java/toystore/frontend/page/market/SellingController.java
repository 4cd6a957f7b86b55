package toystore.frontend.page.market;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
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
import org.springframework.web.servlet.mvc.support.RedirectAttributes;
import org.springframework.web.util.WebUtils;
import toystore.frontend.accounts.AccountClient;
import toystore.frontend.carts.PurchaseClient;
import toystore.frontend.http.json.Expected;
import toystore.frontend.http.json.Units;
import toystore.frontend.http.key.IdempotencyKey;
import toystore.frontend.http.money.Decimal;
import toystore.frontend.http.money.Repricing;
import toystore.frontend.http.paging.PagedResponse;
import toystore.frontend.items.ItemClient;
import toystore.frontend.items.ItemCondition;
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
  private final PurchaseClient purchases;

  SellingController(ItemClient items, AccountClient accounts, PurchaseClient purchases) {
    this.items = items;
    this.accounts = accounts;
    this.purchases = purchases;
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

  /// A refused form for a new item keeps its fields, one for a price the new price.
  @Override
  @GetMapping
  public String page(UserSession seller, HttpServletRequest request, Model model) {
    long after = PagedResponse.parseAfter(request.getParameter("after"));
    var page = items.list(seller, after, PAGE_SIZE);
    List<Long> shown = page.items().stream().map(ItemView::itemId).toList();
    model.addAttribute("items", page.items());
    model.addAttribute("sold", purchases.soldUnits(seller.accountId(), shown));
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
      @Valid @ModelAttribute ItemForm form,
      @RequestParam IdempotencyKey key,
      RedirectAttributes next) {
    items.add(seller, key, form.item());
    return Notice.ITEM_ADDED.at(PATH, next);
  }

  @PostMapping("/{id}/price")
  String reprice(
      @AuthenticationPrincipal UserSession seller,
      @PathVariable String id,
      @Valid @ModelAttribute Repricing change,
      RedirectAttributes next) {
    items.reprice(seller, id, change);
    return Notice.PRICE_CHANGED.at(PATH, next);
  }

  /// @param seen how many units the seller saw, so that a form that is sent twice removes once
  @PostMapping("/{id}/remove")
  String removeUnits(
      @AuthenticationPrincipal UserSession seller,
      @PathVariable String id,
      @Valid @ModelAttribute Units removed,
      @RequestParam(defaultValue = "") String seen,
      RedirectAttributes next) {
    long expected = PagedResponse.parseNumber("seen", seen, 0, Long.MAX_VALUE);
    items.removeUnits(seller, id, removed.quantity(), expected);
    return Notice.UNITS_REMOVED.at(PATH, next);
  }
}
