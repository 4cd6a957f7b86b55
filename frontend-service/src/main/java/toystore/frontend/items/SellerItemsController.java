package toystore.frontend.items;

import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import toystore.frontend.http.IdempotencyKey;
import toystore.frontend.http.JsonBody;
import toystore.frontend.http.JsonResponse;
import toystore.frontend.http.MessageView;
import toystore.frontend.http.PagedResponse;
import toystore.frontend.http.SellerSession;
import toystore.platform.text.Limits;

/// `/api/sellers/items`: a seller's own items.
@Controller
@RequestMapping("/api/sellers/items")
final class SellerItemsController {
  private final ItemClient items;

  SellerItemsController(ItemClient items) {
    this.items = items;
  }

  @PostMapping
  JsonResponse add(SellerSession seller, IdempotencyKey key, JsonBody body) {
    AddedItem added = items.add(seller, key, NewItem.of(body));
    return JsonResponse.plain(201, added).replayed(added.replayed());
  }

  /// Without a limit, a page has as many items as a page can have.
  @GetMapping
  JsonResponse items(
      SellerSession seller,
      @RequestParam(defaultValue = "") String after,
      @RequestParam(defaultValue = "") String limit) {
    int size = limit.isEmpty() ? Limits.MAX_PAGE : PagedResponse.parseLimit(limit);
    return JsonResponse.plain(200, items.list(seller, PagedResponse.parseAfter(after), size));
  }

  @PutMapping("/{id}/price")
  JsonResponse reprice(SellerSession seller, @PathVariable String id, JsonBody body) {
    items.reprice(seller, id, body.allowOnly("price").priceCents("price"));
    return JsonResponse.plain(200, new MessageView("price changed"));
  }

  /// The quantity is the number of units to remove, `expected_stock` the units that the seller saw.
  @PutMapping("/{id}/quantity")
  JsonResponse removeUnits(SellerSession seller, @PathVariable String id, JsonBody body) {
    body.allowOnly("quantity", "expected_stock");
    items.removeUnits(
        seller,
        id,
        body.count("quantity"),
        body.has("expected_stock")
            ? (Long) body.integer("expected_stock", 0, Long.MAX_VALUE)
            : null);
    return JsonResponse.plain(200, new MessageView("units removed"));
  }
}
