package toystore.frontend.items;

import static toystore.common.RootLocale.format;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import toystore.catalog.v1.AddItemRequest;
import toystore.catalog.v1.Condition;
import toystore.catalog.v1.GetItemRequest;
import toystore.catalog.v1.Item;
import toystore.catalog.v1.ItemServiceGrpc;
import toystore.catalog.v1.ItemServiceGrpc.ItemServiceBlockingStub;
import toystore.catalog.v1.ItemSpec;
import toystore.catalog.v1.ListItemsRequest;
import toystore.catalog.v1.RemoveUnitsRequest;
import toystore.catalog.v1.SearchItemsRequest;
import toystore.catalog.v1.UpdateItemPriceRequest;
import toystore.frontend.accounts.AccountClient;
import toystore.frontend.accounts.RatingView;
import toystore.frontend.http.PeerCalls;
import toystore.frontend.http.error.ApiException;
import toystore.frontend.http.key.IdempotencyKey;
import toystore.frontend.http.key.KeyedAnswer;
import toystore.frontend.http.money.DecimalAmounts;
import toystore.frontend.http.money.Repricing;
import toystore.frontend.http.paging.PagedResponse;
import toystore.frontend.http.paging.PathId;
import toystore.frontend.security.UserSession;
import toystore.platform.service.AdministratorToken;
import toystore.platform.service.PeerChannel;
import toystore.platform.text.IdentifierText;

/// gRPC client of the catalog's items. It adds ratings from the account service where they are
/// shown. Any thread.
@Component
public final class ItemClient {
  private static final int ALL_CATEGORIES = -1;

  private final ItemServiceBlockingStub items;
  private final PeerCalls calls;
  private final AccountClient accounts;

  ItemClient(PeerChannel catalogChannel, AdministratorToken token, AccountClient accounts) {
    this.accounts = accounts;
    this.items =
        ItemServiceGrpc.newBlockingStub(catalogChannel.channel())
            .withInterceptors(token.clientInterceptor());
    this.calls = new PeerCalls(catalogChannel);
  }

  /// Returns the id of the item.
  public KeyedAnswer<Long> add(UserSession seller, IdempotencyKey key, NewItem item) {
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
        .map(it -> it.getItem().getItemId());
  }

  /// Returns an item without its rating.
  ///
  /// @param item id in a path; an unknown one is answered with 404
  public ItemView find(String item) {
    var request = GetItemRequest.newBuilder().setItemId(parse(item)).build();
    return view(calls.readFirst(() -> items.getItem(request)).getItem());
  }

  public ItemView findRated(String item) {
    return addRatings(List.of(find(item))).getFirst();
  }

  /// Returns a seller's items with their ratings.
  public PagedResponse<ItemView> list(UserSession seller, long after, int limit) {
    var request =
        ListItemsRequest.newBuilder()
            .setSellerId(seller.accountId())
            .setAfter(after)
            .setLimit(limit)
            .build();
    var page = calls.read(() -> items.listItems(request));
    return addRatings(page(page.getItemsList(), page.getNext() == 0 ? null : page.getNext()));
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
    if (keywords.size() > NewItem.MAX_KEYWORDS) {
      throw ApiException.badRequest(
          format(
              "keywords must be at most %d words, got %d", NewItem.MAX_KEYWORDS, keywords.size()));
    }
    List<String> possible = keywords.stream().filter(IdentifierText::hasKeywordLength).toList();
    if (possible.isEmpty() && !keywords.isEmpty()) {
      return new PagedResponse<>(List.of(), null);
    }
    var request =
        SearchItemsRequest.newBuilder()
            .setCategory(category == null ? ALL_CATEGORIES : category)
            .addAllKeywords(possible)
            .setAfter(after)
            .setLimit(limit)
            .build();
    var page = calls.read(() -> items.searchItems(request));
    return page(page.getItemsList(), page.getNext().isEmpty() ? null : page.getNext());
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

  private static long parse(String item) {
    return PathId.parse(item, ApiException.itemNotFound());
  }

  private static PagedResponse<ItemView> page(List<Item> items, @Nullable Object next) {
    return new PagedResponse<>(items.stream().map(ItemClient::view).toList(), next);
  }

  PagedResponse<ItemView> addRatings(PagedResponse<ItemView> page) {
    return new PagedResponse<>(addRatings(page.items()), page.next());
  }

  private List<ItemView> addRatings(List<ItemView> page) {
    if (page.isEmpty()) {
      return page;
    }
    List<RatingView> ratings = accounts.itemRatings(page.stream().map(ItemView::itemId).toList());
    var rated = new ArrayList<ItemView>();
    for (int i = 0; i < page.size(); i++) {
      rated.add(page.get(i).with(ratings.get(i)));
    }
    return rated;
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
