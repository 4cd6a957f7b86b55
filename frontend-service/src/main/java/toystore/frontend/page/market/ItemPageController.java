package toystore.frontend.page.market;

import jakarta.validation.Valid;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
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
import org.springframework.web.util.UriComponentsBuilder;
import toystore.frontend.accounts.AccountClient;
import toystore.frontend.carts.CartClient;
import toystore.frontend.http.ApiException;
import toystore.frontend.http.BuyerSession;
import toystore.frontend.http.IdempotencyKey;
import toystore.frontend.http.InvalidRequest;
import toystore.frontend.http.PagedResponse;
import toystore.frontend.http.PathId;
import toystore.frontend.http.Units;
import toystore.frontend.items.ItemClient;
import toystore.frontend.items.ItemView;

/// Searches items, shows one, and adds it to the cart.
@Controller
@RequestMapping("/market")
final class ItemPageController extends MarketController {
  private static final int PAGE_SIZE = 24;

  private final ItemClient items;
  private final AccountClient accounts;
  private final CartClient carts;
  private final InvalidRequest invalid;

  ItemPageController(
      ItemClient items, AccountClient accounts, CartClient carts, InvalidRequest invalid) {
    this.items = items;
    this.accounts = accounts;
    this.carts = carts;
    this.invalid = invalid;
  }

  @GetMapping
  ModelAndView search(
      @RequestAttribute PageSession session,
      @RequestParam(defaultValue = "") String category,
      @RequestParam(defaultValue = "") String keywords,
      @RequestParam(defaultValue = "") String after) {
    PageMessage problem = null;
    var found = new PagedResponse<ItemView>(List.of(), null);
    try {
      if (!category.isEmpty()) {
        found = search(category, keywords, after);
      }
    } catch (ApiException e) {
      problem = PageMessage.ofUnkeyed(e);
    }
    String next =
        found.next() == null
            ? ""
            : UriComponentsBuilder.fromPath("/market")
                .queryParam("category", "{category}")
                .queryParam("keywords", "{keywords}")
                .queryParam("after", "{after}")
                .encode()
                .buildAndExpand(category, keywords, found.next())
                .toUriString();
    var page =
        Map.of("category", category, "keywords", keywords, "items", found.items(), "next", next);
    return problem == null ? MarketPage.of("items", page) : MarketPage.of(problem, "items", page);
  }

  private PagedResponse<ItemView> search(String category, String keywords, String after) {
    String separator = keywords.contains(",") ? "," : "\\s+"; // a keyword may contain a space
    List<String> words =
        Stream.of(keywords.split(separator))
            .map(String::strip)
            .filter(it -> !it.isEmpty())
            .toList();
    int number =
        (int) PagedResponse.parseNumber("category", category.strip(), 0, Integer.MAX_VALUE);
    return items.search(number, words, after, PAGE_SIZE);
  }

  @GetMapping("/items/{id}")
  ModelAndView item(@RequestAttribute PageSession session, @PathVariable String id) {
    return MarketPage.of("item", model(id));
  }

  @PostMapping("/items/{id}")
  ModelAndView addToCart(
      @RequestAttribute PageSession session,
      @PathVariable String id,
      @Valid @ModelAttribute Units added,
      BindingResult result,
      @RequestParam IdempotencyKey key,
      RedirectAttributes next) {
    BuyerSession buyer = session.buyer();
    try {
      long itemId = PathId.parse(id, ApiException.itemNotFound());
      invalid.check(result, Units.class);
      carts.add(buyer, key, itemId, added.quantity());
      return MarketPage.redirect("/market/cart", Notice.ADDED_TO_CART, next);
    } catch (ApiException e) {
      return MarketPage.again("item", e, key, model(id));
    }
  }

  private Map<String, Object> model(String id) {
    ItemView item = items.findRated(id);
    return Map.of("item", item, "seller", accounts.sellerRating(item.sellerId()));
  }
}
