package toystore.frontend.items;

import static toystore.common.RootLocale.format;
import static toystore.platform.rpc.UnaryFutures.awaitCall;

import io.opentelemetry.context.Context;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import toystore.catalog.v1.AddItemRequest;
import toystore.catalog.v1.Condition;
import toystore.catalog.v1.GetItemRequest;
import toystore.catalog.v1.Item;
import toystore.catalog.v1.ItemServiceGrpc;
import toystore.catalog.v1.ItemServiceGrpc.ItemServiceBlockingStub;
import toystore.catalog.v1.ItemServiceGrpc.ItemServiceStub;
import toystore.catalog.v1.ItemSpec;
import toystore.catalog.v1.ListItemsRequest;
import toystore.catalog.v1.RemoveUnitsRequest;
import toystore.catalog.v1.SearchItemsRequest;
import toystore.catalog.v1.SearchItemsResponse;
import toystore.catalog.v1.UpdateItemPriceRequest;
import toystore.frontend.accounts.AccountClient;
import toystore.frontend.carts.CartClient;
import toystore.frontend.http.PeerCalls;
import toystore.frontend.http.error.ApiException;
import toystore.frontend.http.key.IdempotencyKey;
import toystore.frontend.http.money.DecimalAmounts;
import toystore.frontend.http.money.Repricing;
import toystore.frontend.http.paging.PagedResponse;
import toystore.frontend.http.paging.PathId;
import toystore.frontend.security.UserSession;
import toystore.platform.error.ErrorReason;
import toystore.platform.rpc.UnaryFutures;
import toystore.platform.service.AdministratorToken;
import toystore.platform.service.PeerChannel;
import toystore.platform.text.IdentifierText;

/// gRPC client of the catalog's items. It adds ratings from the account service where they are
/// shown. Any thread.
@Component
public final class ItemClient {
  private static final int ALL_CATEGORIES = -1;

  private final ItemServiceBlockingStub items;
  private final ItemServiceStub asyncItems;
  private final PeerCalls calls;
  private final AccountClient accounts;
  private final CartClient carts;

  ItemClient(
      PeerChannel catalogChannel,
      AdministratorToken token,
      AccountClient accounts,
      CartClient carts) {
    this.accounts = accounts;
    this.carts = carts;
    this.items =
        ItemServiceGrpc.newBlockingStub(catalogChannel.channel())
            .withInterceptors(token.clientInterceptor());
    this.asyncItems =
        ItemServiceGrpc.newStub(catalogChannel.channel())
            .withInterceptors(token.clientInterceptor());
    this.calls = new PeerCalls(catalogChannel);
  }

  public long add(UserSession seller, IdempotencyKey key, NewItem item) {
    var spec =
        ItemSpec.newBuilder()
            .setName(item.name())
            .setCategory(item.category())
            .addAllKeywords(item.keywords())
            .setCondition(
                switch (item.condition()) {
                  case NEW -> Condition.CONDITION_NEW;
                  case USED -> Condition.CONDITION_USED;
                })
            .setPriceCents(DecimalAmounts.toCents(item.price()))
            .setQuantity(item.quantity());
    var request = AddItemRequest.newBuilder().setSellerId(seller.accountId()).setItem(spec).build();
    return calls
        .write(key.in("/api/sellers/items", seller.user()), items, it -> it.addItem(request))
        .getItem()
        .getItemId();
  }

  /// Returns an item without its rating.
  ///
  /// @param item id in a path; an unknown one is answered with 404
  public ItemView find(String item) {
    var request = GetItemRequest.newBuilder().setItemId(parse(item)).build();
    return view(calls.readFirst(() -> items.getItem(request)).getItem());
  }

  public ItemView findRated(String item) {
    var found = new PagedResponse<>(List.of(find(item)), null);
    return awaitCall(addRatings(found)).items().getFirst();
  }

  public PagedResponse<ItemView> list(UserSession seller, long after, int limit) {
    var request =
        ListItemsRequest.newBuilder()
            .setSellerId(seller.accountId())
            .setAfter(after)
            .setLimit(limit)
            .build();
    var page = calls.read(() -> items.listItems(request));
    Long next = page.getNext() == 0 ? null : (Long) page.getNext();
    return awaitCall(addRatings(page(page.getItemsList(), next)));
  }

  /// @param separator a regular expression
  public static List<String> words(String text, String separator) {
    return Stream.of(text.split(separator)).map(String::strip).filter(it -> !it.isEmpty()).toList();
  }

  public static int parseCategory(String number) {
    return (int) PagedResponse.parseNumber("category", number, 0, Integer.MAX_VALUE);
  }

  /// Returns items without their ratings.
  ///
  /// @param category null: all categories
  /// @param keywords at most as many as an item can have; words that are longer than a keyword may
  ///   be match nothing
  public PagedResponse<ItemView> search(
      @Nullable Integer category, List<String> keywords, String after, int limit) {
    return awaitCall(find(category, keywords, after, limit));
  }

  /// Like [#search], with ratings. The request's thread waits once for both calls, because parking
  /// and waking it is a large part of the cost of a call.
  PagedResponse<ItemView> searchRated(
      int category, List<String> keywords, String after, int limit) {
    return awaitCall(
        find(category, keywords, after, limit)
            .thenCompose(Context.current().wrapFunction(this::addRatings)));
  }

  private CompletionStage<PagedResponse<ItemView>> find(
      @Nullable Integer category, List<String> keywords, String after, int limit) {
    if (keywords.size() > NewItem.MAX_KEYWORDS) {
      throw ApiException.badRequest(
          format(
              "keywords must be at most %d words, got %d", NewItem.MAX_KEYWORDS, keywords.size()));
    }
    List<String> possible = keywords.stream().filter(IdentifierText::hasKeywordLength).toList();
    if (possible.isEmpty() && !keywords.isEmpty()) {
      return CompletableFuture.completedStage(new PagedResponse<>(List.of(), null));
    }
    var request =
        SearchItemsRequest.newBuilder()
            .setCategory(category == null ? ALL_CATEGORIES : category)
            .addAllKeywords(possible)
            .setAfter(after)
            .setLimit(limit)
            .build();
    return calls
        .read(UnaryFutures.<SearchItemsResponse>call(it -> asyncItems.searchItems(request, it)))
        .thenApply(it -> page(it.getItemsList(), it.getNext().isEmpty() ? null : it.getNext()));
  }

  public void reprice(UserSession seller, String item, Repricing change) {
    var request =
        UpdateItemPriceRequest.newBuilder()
            .setSellerId(seller.accountId())
            .setItemId(parse(item))
            .setPriceCents(change.cents());
    if (change.expectedCents() != null) {
      request.setExpectedPriceCents(change.expectedCents());
    }
    calls.write(items, it -> it.updateItemPrice(request.build()));
  }

  /// @param seen units in stock that the seller saw; null: not compared
  public void removeUnits(UserSession seller, String item, int quantity, @Nullable Long seen) {
    var request =
        RemoveUnitsRequest.newBuilder()
            .setSellerId(seller.accountId())
            .setItemId(parse(item))
            .setQuantity(quantity);
    if (seen != null) {
      request.setExpectedStock(seen);
    }
    calls.write(items, it -> it.removeUnits(request.build()));
  }

  /// Records the opinion of a buyer of an item. The API and the pages use one scope of keys.
  ///
  /// @param id of the item, in a path
  /// @param feedback `up` or `down`
  public void giveFeedback(UserSession buyer, IdempotencyKey key, String id, String feedback) {
    if (!feedback.equals("up") && !feedback.equals("down")) {
      throw ApiException.of(ErrorReason.UNKNOWN_FEEDBACK, "feedback must be \"up\" or \"down\"");
    }
    ItemView item = find(id);
    carts.requirePurchased(buyer, item.itemId());
    accounts.giveFeedback(key, buyer, item.itemId(), item.sellerId(), feedback.equals("up"));
  }

  private static long parse(String item) {
    return PathId.parse(item, ApiException.itemNotFound());
  }

  private static PagedResponse<ItemView> page(List<Item> items, @Nullable Object next) {
    return new PagedResponse<>(items.stream().map(ItemClient::view).toList(), next);
  }

  private CompletionStage<PagedResponse<ItemView>> addRatings(PagedResponse<ItemView> page) {
    List<ItemView> found = page.items();
    if (found.isEmpty()) {
      return CompletableFuture.completedStage(page);
    }
    return accounts
        .itemRatings(found.stream().map(ItemView::itemId).toList())
        .thenApply(ratings -> {
          var rated = new ArrayList<ItemView>();
          for (int i = 0; i < found.size(); i++) {
            rated.add(found.get(i).with(ratings.get(i)));
          }
          return new PagedResponse<>(rated, page.next());
        });
  }

  private static ItemView view(Item item) {
    return new ItemView(
        item.getItemId(),
        item.getSellerId(),
        item.getName(),
        item.getCategory(),
        item.getKeywordsList(),
        switch (item.getCondition()) {
          case CONDITION_NEW -> ItemCondition.NEW;
          case CONDITION_USED -> ItemCondition.USED;
          case CONDITION_UNSPECIFIED, UNRECOGNIZED ->
              throw new IllegalStateException(
                  "unknown condition of item " + item.getItemId() + ": " + item.getCondition());
        },
        DecimalAmounts.ofCents(item.getPriceCents()),
        item.getQuantity(),
        null,
        null);
  }
}
