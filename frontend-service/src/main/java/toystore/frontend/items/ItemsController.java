package toystore.frontend.items;

import jakarta.validation.Valid;
import jakarta.validation.constraints.NotEmpty;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import toystore.frontend.http.json.Expected;
import toystore.frontend.http.json.MessageView;
import toystore.frontend.http.key.IdempotencyKey;
import toystore.frontend.http.key.KeyedAnswer;
import toystore.frontend.http.paging.PageQuery;
import toystore.frontend.http.paging.PagedResponse;
import toystore.frontend.security.UserSession;

/// `/api/items`: every user can read items; a buyer of an item can rate it.
@RestController
@RequestMapping("/api/items")
final class ItemsController {
  private final ItemClient items;
  private final ItemFeedback feedback;

  ItemsController(ItemClient items, ItemFeedback feedback) {
    this.items = items;
    this.feedback = feedback;
  }

  record Item(ItemView item) {}

  record Feedback(@NotEmpty(message = Expected.TEXT) String feedback) {}

  @GetMapping("/search")
  PagedResponse<ItemView> search(
      @RequestParam(defaultValue = "") String category,
      @RequestParam(defaultValue = "") String keywords,
      PageQuery page) {
    List<String> words =
        Stream.of(keywords.split(",")).map(String::strip).filter(it -> !it.isEmpty()).toList();
    int number = ItemClient.parseCategory(category);
    return items.addRatings(items.search(number, words, page.after(), page.size()));
  }

  @GetMapping("/{id}")
  Item item(@PathVariable String id) {
    return new Item(items.findRated(id));
  }

  @PostMapping("/{id}/feedback")
  @ResponseStatus(HttpStatus.CREATED)
  KeyedAnswer<MessageView> giveFeedback(
      @AuthenticationPrincipal UserSession buyer,
      IdempotencyKey key,
      @PathVariable String id,
      @Valid @RequestBody Feedback given) {
    boolean replayed = feedback.give(buyer, key, id, given.feedback());
    return new KeyedAnswer<>(new MessageView("feedback counted"), replayed);
  }
}
