package toystore.frontend.page.market;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.validation.Valid;
import java.util.List;
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
import toystore.frontend.accounts.AccountClient;
import toystore.frontend.carts.CartClient;
import toystore.frontend.http.error.ApiException;
import toystore.frontend.http.json.Units;
import toystore.frontend.http.key.IdempotencyKey;
import toystore.frontend.http.paging.PagedResponse;
import toystore.frontend.http.paging.PathId;
import toystore.frontend.items.ItemClient;
import toystore.frontend.items.ItemView;
import toystore.frontend.page.form.FormAdvice;
import toystore.frontend.page.form.FormPage;
import toystore.frontend.page.form.Notice;
import toystore.frontend.page.form.PageMessage;
import toystore.frontend.security.UserSession;

/// Searches items, shows one, and adds it to the cart.
@Controller
@RequestMapping("/market")
final class ItemPageController implements FormPage {
  private static final int PAGE_SIZE = 24;

  private final ItemClient items;
  private final AccountClient accounts;
  private final CartClient carts;

  ItemPageController(ItemClient items, AccountClient accounts, CartClient carts) {
    this.items = items;
    this.accounts = accounts;
    this.carts = carts;
  }

  /// Without a search, the page needs no service but the one for sessions.
  @GetMapping
  String search(
      @RequestParam(required = false) @Nullable String category,
      @RequestParam(defaultValue = "") String keywords,
      @RequestParam(defaultValue = "") String after,
      HttpServletResponse response,
      Model model) {
    String chosen = category == null ? "" : category.strip();
    model.addAttribute("category", chosen);
    model.addAttribute("keywords", keywords);
    try {
      if (category != null || !keywords.isEmpty()) {
        var found = search(chosen, keywords, after);
        model.addAttribute("items", found.items());
        model.addAttribute("next", found.next());
      }
    } catch (ApiException e) {
      response.setStatus(e.status());
      model.addAttribute(FormAdvice.MESSAGE, PageMessage.of(e, false));
    }
    return "market/items";
  }

  private PagedResponse<ItemView> search(String category, String keywords, String after) {
    String separator = keywords.contains(",") ? "," : "\\s+"; // a keyword may contain a space
    List<String> words = ItemClient.words(keywords, separator);
    return items.search(
        category.isEmpty() ? null : ItemClient.parseCategory(category), words, after, PAGE_SIZE);
  }

  @Override
  @GetMapping("/items/{id}")
  public String page(UserSession user, HttpServletRequest request, Model model) {
    String path = request.getServletPath();
    ItemView item = items.findRated(path.substring(path.lastIndexOf('/') + 1));
    model.addAttribute("item", item);
    model.addAttribute("seller", accounts.sellerRating(item.sellerId()));
    return "market/item";
  }

  @PostMapping("/items/{id}")
  String addToCart(
      @AuthenticationPrincipal UserSession buyer,
      @PathVariable String id,
      @Valid @ModelAttribute Units added,
      @RequestParam IdempotencyKey key) {
    carts.add(buyer, key, PathId.parse(id, ApiException.itemNotFound()), added.quantity());
    return Notice.ADDED_TO_CART.at("/market/cart");
  }
}
