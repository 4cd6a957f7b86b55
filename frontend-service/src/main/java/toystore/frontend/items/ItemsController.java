package toystore.frontend.items;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotEmpty;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import toystore.frontend.http.json.Expected;
import toystore.frontend.http.json.MessageView;
import toystore.frontend.http.json.OptionalField;
import toystore.frontend.http.key.IdempotencyKey;
import toystore.frontend.http.money.Repricing;
import toystore.frontend.http.paging.PageQuery;
import toystore.frontend.http.paging.PagedResponse;
import toystore.frontend.security.UserSession;
import toystore.platform.text.Limits;

/// `/api/items`: every user can read items; a buyer of an item can rate it. `/api/sellers/items`: a
/// seller's own items.
@RestController
final class ItemsController {
  private final ItemClient items;

  ItemsController(ItemClient items) {
    this.items = items;
  }

  record Item(ItemView item) {}

  record Feedback(@NotEmpty(message = Expected.TEXT) String feedback) {}

  @GetMapping("/api/items/search")
  PagedResponse<ItemView> search(
      @RequestParam(defaultValue = "") String category,
      @RequestParam(defaultValue = "") String keywords,
      PageQuery page) {
    List<String> words = ItemClient.words(keywords, ",");
    int number = ItemClient.parseCategory(category);
    return items.searchRated(number, words, page.after(), page.size());
  }

  @GetMapping("/api/items/{id}")
  Item item(@PathVariable String id) {
    return new Item(items.findRated(id));
  }

  @PostMapping("/api/items/{id}/feedback")
  @ResponseStatus(HttpStatus.CREATED)
  MessageView giveFeedback(
      @AuthenticationPrincipal UserSession buyer,
      IdempotencyKey key,
      @PathVariable String id,
      @Valid @RequestBody Feedback given) {
    items.giveFeedback(buyer, key, id, given.feedback());
    return new MessageView("feedback counted");
  }

  record AddedItem(String message, long itemId) {}

  record RemovedUnits(
      @Min(value = 1, message = Expected.COUNT) int quantity,
      @OptionalField @Min(value = 0, message = "must be an integer from 0 to 9223372036854775807")
          @Nullable Long expectedStock) {}

  @PostMapping("/api/sellers/items")
  @ResponseStatus(HttpStatus.CREATED)
  AddedItem add(
      @AuthenticationPrincipal UserSession seller,
      IdempotencyKey key,
      @Valid @RequestBody NewItem item) {
    return new AddedItem("item added", items.add(seller, key, item));
  }

  /// Without a limit, a page has as many items as a page can have.
  @GetMapping("/api/sellers/items")
  PagedResponse<ItemView> items(@AuthenticationPrincipal UserSession seller, PageQuery page) {
    return items.list(seller, page.number(), page.size(Limits.MAX_PAGE));
  }

  @PutMapping("/api/sellers/items/{id}/price")
  MessageView reprice(
      @AuthenticationPrincipal UserSession seller,
      @PathVariable String id,
      @Valid @RequestBody Repricing change) {
    items.reprice(seller, id, change);
    return new MessageView("price changed");
  }

  /// The quantity is the number of units to remove, `expected_stock` the units that the seller saw.
  @PutMapping("/api/sellers/items/{id}/quantity")
  MessageView removeUnits(
      @AuthenticationPrincipal UserSession seller,
      @PathVariable String id,
      @Valid @RequestBody RemovedUnits removed) {
    items.removeUnits(seller, id, removed.quantity(), removed.expectedStock());
    return new MessageView("units removed");
  }
}
