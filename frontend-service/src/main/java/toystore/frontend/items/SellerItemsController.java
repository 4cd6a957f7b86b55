package toystore.frontend.items;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Min;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import toystore.frontend.http.json.Expected;
import toystore.frontend.http.json.MessageView;
import toystore.frontend.http.json.OptionalField;
import toystore.frontend.http.key.IdempotencyKey;
import toystore.frontend.http.key.KeyedAnswer;
import toystore.frontend.http.money.Repricing;
import toystore.frontend.http.paging.PageQuery;
import toystore.frontend.http.paging.PagedResponse;
import toystore.frontend.security.UserSession;
import toystore.platform.text.Limits;

/// `/api/sellers/items`: a seller's own items.
@RestController
@RequestMapping("/api/sellers/items")
final class SellerItemsController {
  private final ItemClient items;

  SellerItemsController(ItemClient items) {
    this.items = items;
  }

  record AddedItem(String message, long itemId) {}

  record RemovedUnits(
      @Min(value = 1, message = Expected.COUNT) int quantity,
      @OptionalField @Min(value = 0, message = "must be an integer from 0 to 9223372036854775807")
          @Nullable Long expectedStock) {}

  @PostMapping
  @ResponseStatus(HttpStatus.CREATED)
  KeyedAnswer<AddedItem> add(
      @AuthenticationPrincipal UserSession seller,
      IdempotencyKey key,
      @Valid @RequestBody NewItem item) {
    return items.add(seller, key, item).map(id -> new AddedItem("item added", id));
  }

  /// Without a limit, a page has as many items as a page can have.
  @GetMapping
  PagedResponse<ItemView> items(@AuthenticationPrincipal UserSession seller, PageQuery page) {
    return items.list(seller, page.number(), page.size(Limits.MAX_PAGE));
  }

  @PutMapping("/{id}/price")
  MessageView reprice(
      @AuthenticationPrincipal UserSession seller,
      @PathVariable String id,
      @Valid @RequestBody Repricing change) {
    items.reprice(seller, id, change);
    return new MessageView("price changed");
  }

  /// The quantity is the number of units to remove, `expected_stock` the units that the seller saw.
  @PutMapping("/{id}/quantity")
  MessageView removeUnits(
      @AuthenticationPrincipal UserSession seller,
      @PathVariable String id,
      @Valid @RequestBody RemovedUnits removed) {
    items.removeUnits(seller, id, removed.quantity(), removed.expectedStock());
    return new MessageView("units removed");
  }
}
