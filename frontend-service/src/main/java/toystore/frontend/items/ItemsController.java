package toystore.frontend.items;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import toystore.frontend.http.BuyerSession;
import toystore.frontend.http.IdempotencyKey;
import toystore.frontend.http.JsonBody;
import toystore.frontend.http.JsonResponse;
import toystore.frontend.http.MessageView;
import toystore.frontend.http.PagedResponse;
import toystore.frontend.http.UserSession;

/// `/api/items`: every user can read items; a buyer of an item can rate it.
@Controller
@RequestMapping("/api/items")
final class ItemsController {
  private final ItemClient items;
  private final ItemFeedback feedback;

  ItemsController(ItemClient items, ItemFeedback feedback) {
    this.items = items;
    this.feedback = feedback;
  }

  @GetMapping("/search")
  JsonResponse search(
      UserSession session,
      @RequestParam(defaultValue = "") String category,
      @RequestParam(defaultValue = "") String keywords,
      @RequestParam(defaultValue = "") String after,
      @RequestParam(defaultValue = "") String limit) {
    List<String> words =
        Stream.of(keywords.split(",")).map(String::strip).filter(it -> !it.isEmpty()).toList();
    int number = (int) PagedResponse.parseNumber("category", category, 0, Integer.MAX_VALUE);
    return JsonResponse.plain(
        200, items.rated(items.search(number, words, after, PagedResponse.parseLimit(limit))));
  }

  @GetMapping("/{id}")
  JsonResponse item(UserSession session, @PathVariable String id) {
    return JsonResponse.plain(200, Map.of("item", items.findRated(id)));
  }

  @PostMapping("/{id}/feedback")
  JsonResponse giveFeedback(
      BuyerSession buyer, IdempotencyKey key, @PathVariable String id, JsonBody body) {
    String word = body.allowOnly("feedback").text("feedback");
    boolean replayed = feedback.give(buyer, key, id, word);
    return JsonResponse.plain(201, new MessageView("feedback counted")).replayed(replayed);
  }
}
