package toystore.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import toystore.catalog.domain.Items;
import toystore.catalog.domain.ProductSpec;
import toystore.catalog.v1.AddItemRequest;
import toystore.catalog.v1.AddItemResponse;
import toystore.catalog.v1.AddProductRequest;
import toystore.catalog.v1.Condition;
import toystore.catalog.v1.GetItemRequest;
import toystore.catalog.v1.GetProductRequest;
import toystore.catalog.v1.ItemSpec;
import toystore.catalog.v1.ListItemSalesRequest;
import toystore.catalog.v1.ListItemsRequest;
import toystore.catalog.v1.ListProductsRequest;
import toystore.catalog.v1.RemoveUnitsRequest;
import toystore.catalog.v1.ReturnItemsRequest;
import toystore.catalog.v1.SearchItemsRequest;
import toystore.catalog.v1.SearchItemsResponse;
import toystore.catalog.v1.SearchProductsRequest;
import toystore.catalog.v1.SellItemsRequest;
import toystore.catalog.v1.UpdateItemPriceRequest;
import toystore.common.v1.AuditCheck;
import toystore.common.v1.Line;
import toystore.common.v1.SaleKind;
import toystore.platform.error.ErrorReason;
import toystore.platform.journal.RequestKey;
import toystore.platform.rpc.CallEnvelope;
import toystore.platform.rpc.RpcError;

/// On a real catalog service and a real file.
@SuppressWarnings("NullAway.Init") // started before all tests
class ItemServiceTest {
  @TempDir static Path folder;
  private static RunningCatalog catalog;
  private static int tests;

  private final int seller = 10 * ++tests; // each test has its own sellers and category
  private final int other = seller + 1;
  private final int category = seller;

  @BeforeAll
  static void start() {
    catalog = new RunningCatalog(folder);
  }

  @AfterAll
  static void stop() {
    catalog.close();
  }

  @Test
  void addedItemIsFoundByIdBySellerAndBySearchAlsoAfterRestart() {
    var item = catalog.addItem(seller, "Tux, used", 3, category, "Penguin", "Linux", "penguin");
    assertThat(item)
        .isEqualTo(
            toystore.catalog.v1.Item.newBuilder()
                .setItemId(item.getItemId())
                .setSellerId(seller)
                .setName("Tux, used")
                .setCategory(category)
                .addKeywords("Penguin")
                .addKeywords("Linux")
                .setCondition(Condition.CONDITION_USED)
                .setPriceCents(250)
                .setQuantity(3)
                .build());
    for (int start = 0; start < 2; start++) {
      assertThat(get(item.getItemId())).isEqualTo(item);
      assertThat(ofSeller(seller)).containsExactly(item);
      assertThat(ofSeller(other)).isEmpty();
      assertThat(search(category, "", "LINUX", "cat").getItemsList()).containsExactly(item);
      assertThat(search(category, "").getItemsList()).containsExactly(item);
      assertThat(search(category + 1, "", "linux").getItemsList()).isEmpty();
      stop();
      start();
    }
    assertAudited();
  }

  @Test
  void repeatedAddReturnsTheSameItem() {
    var first = RunningCatalog.key("k");
    var repeat = RunningCatalog.key("k");
    AddItemResponse added = add(first, spec().build());
    assertThat(add(repeat, spec().build())).isEqualTo(added);
    assertThat(first.replayed()).isFalse();
    assertThat(repeat.replayed()).isTrue();
    assertThat(reason(() -> add(RunningCatalog.key("k"), spec().setQuantity(9).build())))
        .isEqualTo(ErrorReason.KEY_REUSED);
    assertThat(ofSeller(seller)).containsExactly(added.getItem());
    stop();
    start();
    assertThat(add(RunningCatalog.key("k"), spec().build())).isEqualTo(added);
  }

  @Test
  void itemOutOfRangeIsRefused() {
    for (ItemSpec.Builder invalid :
        List.of(
            spec().setName(""),
            spec().setName("a/b"),
            spec().setName("x".repeat(33)),
            spec().setName("Tux "),
            spec().setCategory(-1),
            spec().addKeywords(""),
            spec().addKeywords("123456789"),
            spec().addKeywords("a\tb"),
            spec().addKeywords("a,b"),
            spec().addAllKeywords(List.of("a", "b", "c", "d", "e", "f")),
            spec().setConditionValue(0),
            spec().setConditionValue(9),
            spec().setPriceCents(0),
            spec().setPriceCents(ProductSpec.PRICE_LIMIT_CENTS + 1),
            spec().setQuantity(0),
            spec().setQuantity(1L << 31))) {
      assertThat(reason(() -> add(RunningCatalog.key("invalid"), invalid.build())))
          .as("%s", invalid)
          .isEqualTo(ErrorReason.INVALID);
    }
    assertThat(reason(() -> catalog.addItem(0, "Tux", 1, 1))).isEqualTo(ErrorReason.INVALID);
    assertThat(ofSeller(seller)).isEmpty();

    var largest =
        spec()
            .setCategory(Integer.MAX_VALUE)
            .addAllKeywords(List.of("a", "b", "c", "d", "熊熊熊熊熊熊熊熊", "A"))
            .setPriceCents(ProductSpec.PRICE_LIMIT_CENTS)
            .setQuantity(Integer.MAX_VALUE);
    assertThat(add(RunningCatalog.key("largest"), largest.build()).getItem().getKeywordsCount())
        .isEqualTo(5);
  }

  @Test
  void namesAndKeywordsAreStoredInNfcAndFoundInEveryForm() {
    var sent = spec().setCategory(category).setName("Cafe\u0301").addKeywords("Cafe\u0301");
    var item = add(RunningCatalog.key("nfc"), sent.build()).getItem();

    assertThat(item.getName()).isEqualTo("Café");
    assertThat(item.getKeywordsList()).containsExactly("Café");
    assertThat(search(category, "", "CAFÉ").getItemsList()).containsExactly(item);
    assertThat(search(category, "", "cafe\u0301").getItemsList()).containsExactly(item);
  }

  @Test
  void productIsFoundByEveryFormOfItsNameAndCategory() {
    var spec =
        toystore.catalog.v1.ProductSpec.newBuilder()
            .setName("A\u030Angstro\u0308m")
            .setPriceCents(1)
            .setQuantity(5)
            .setCategory("E\u0301lite");
    var product =
        catalog
            .admin("forms")
            .addProduct(AddProductRequest.newBuilder().setProduct(spec).build())
            .getProduct();
    assertThat(product.getName()).isEqualTo("Ångström");
    assertThat(product.getCategory()).isEqualTo("Élite");
    for (String form : List.of("Ångström", "\u212Bngstro\u0308m")) {
      assertThat(product(form)).isEqualTo(product);
    }
    for (String form : List.of("Élite", "E\u0301lite")) {
      assertThat(
              catalog
                  .store()
                  .listProducts(ListProductsRequest.newBuilder().setCategory(form).build())
                  .getProductsList())
          .containsExactly(product);
      assertThat(
              catalog
                  .store()
                  .searchProducts(
                      SearchProductsRequest.newBuilder()
                          .setQuery("a\u030Angstro")
                          .setCategory(form)
                          .build())
                  .getProductsList())
          .containsExactly(product);
    }
  }

  private static toystore.catalog.v1.Product product(String name) {
    return catalog
        .store()
        .getProduct(GetProductRequest.newBuilder().setName(name).build())
        .getProduct();
  }

  @Test
  void bestMatchComesFirstAndPagesContinueWhileItemsChange() {
    List<Long> expected = new ArrayList<>();
    for (String keywords : List.of("a b", "a b c", "b", "a c", "b e", "c", "d")) {
      expected.add(catalog.addItem(seller, keywords, 1, category, keywords.split(" ")).getItemId());
    }
    List<Long> ranked = List.of(1, 0, 3, 2, 4, 5).stream().map(expected::get).toList();
    List<Long> found = new ArrayList<>();
    String after = "";
    do {
      SearchItemsResponse page =
          catalog
              .items()
              .searchItems(
                  SearchItemsRequest.newBuilder()
                      .setCategory(category)
                      .addAllKeywords(List.of("C", "a", "B"))
                      .setAfter(after)
                      .setLimit(2)
                      .build());
      page.getItemsList().forEach(it -> found.add(it.getItemId()));
      after = page.getNext();
      catalog.buy("sold out " + after, found.getLast(), 1); // it was the last of the page
      catalog.addItem(seller, "later" + after, 1, category, "d");
    } while (!after.isEmpty());

    assertThat(found).isEqualTo(ranked);
  }

  @Test
  void allCategoriesAreSearchedAtOnce() {
    var doll = catalog.addItem(seller, "Doll", 1, category, "Kašpárek", "בובה");
    var book = catalog.addItem(seller, "Book", 1, Integer.MAX_VALUE, "בובה");
    var cards = catalog.addItem(seller, "Cards", 1, 0, "kaŠpÁrek");

    assertThat(search(Items.ALL_CATEGORIES, "", "KAŠPÁREK", "בובה").getItemsList())
        .containsExactly(doll, book, cards);
    assertThat(search(0, "", "KAŠPÁREK", "בובה").getItemsList()).containsExactly(cards);
  }

  @Test
  void invalidSearchIsRefused() {
    assertThat(reason(() -> search(-2, ""))).isEqualTo(ErrorReason.INVALID);
    assertThat(reason(() -> search(1, "", ""))).isEqualTo(ErrorReason.INVALID);
    assertThat(reason(() -> search(1, "", "a", "b", "c", "d", "e", "f")))
        .isEqualTo(ErrorReason.INVALID);
    for (String after : List.of("1", "0:1", "1:", "1:-1", "1:9999999999999999999", "a:b")) {
      assertThat(reason(() -> search(1, after))).isEqualTo(ErrorReason.INVALID);
    }
    assertThat(search(1, "9:999999999999999999", "a").getItemsList()).isEmpty();
  }

  @Test
  void soldOutItemIsListedForItsSellerOnly() {
    long item = catalog.addItem(seller, "Tux", 2, category, "toy").getItemId();
    long sale = catalog.buy("all", item, 2).getNumber();

    assertThat(search(category, "", "toy").getItemsList()).isEmpty();
    assertThat(search(category, "").getItemsList()).isEmpty();
    assertThat(ofSeller(seller)).extracting(it -> it.getQuantity()).containsExactly(0L);
    assertThat(get(item).getQuantity()).isZero();

    catalog.giveBack("all back", sale);
    assertThat(search(category, "", "toy").getItemsList()).containsExactly(get(item));
  }

  @Test
  void sellersListIsPaged() {
    List<Long> all = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      all.add(catalog.addItem(seller, "Toy " + i, 1, 1).getItemId());
      catalog.addItem(other, "Toy " + i, 1, 1);
    }
    List<Long> found = new ArrayList<>();
    long after = 0;
    do {
      var page =
          catalog
              .items()
              .listItems(
                  ListItemsRequest.newBuilder()
                      .setSellerId(seller)
                      .setAfter(after)
                      .setLimit(2)
                      .build());
      page.getItemsList().forEach(it -> found.add(it.getItemId()));
      after = page.getNext();
    } while (after != 0);
    assertThat(found).isEqualTo(all);
  }

  @Test
  void ownerChangesPriceAndRemovesUnits() {
    var item = catalog.addItem(seller, "Tux", 5, 1);
    assertThat(reprice(seller, item.getItemId(), 199))
        .isEqualTo(item.toBuilder().setPriceCents(199).build());
    var unseen =
        UpdateItemPriceRequest.newBuilder()
            .setSellerId(seller)
            .setItemId(item.getItemId())
            .setPriceCents(99)
            .setExpectedPriceCents(250);
    assertThat(reason(() -> catalog.items().updateItemPrice(unseen.build())))
        .isEqualTo(ErrorReason.PRODUCT_CHANGED);
    assertThat(remove(seller, item.getItemId(), 5))
        .isEqualTo(item.toBuilder().setPriceCents(199).setQuantity(0).build());
    assertAudited();
    stop();
    start();
    assertThat(get(item.getItemId()))
        .isEqualTo(item.toBuilder().setPriceCents(199).setQuantity(0).build());
  }

  @Test
  void changeThatIsNotAllowedChangesNothing() {
    var item = catalog.addItem(seller, "Tux", 5, 1);
    long id = item.getItemId();
    assertThat(reason(() -> reprice(other, id, 1))).isEqualTo(ErrorReason.NOT_THE_OWNER);
    assertThat(reason(() -> remove(other, id, 1))).isEqualTo(ErrorReason.NOT_THE_OWNER);
    assertThat(reason(() -> remove(seller, id, 6))).isEqualTo(ErrorReason.NOT_ENOUGH);
    assertThat(reason(() -> remove(seller, id, 0))).isEqualTo(ErrorReason.INVALID);
    assertThat(reason(() -> reprice(seller, id, 0))).isEqualTo(ErrorReason.INVALID);
    for (long unknown : List.of(1L, id + 1_000, -1L)) {
      assertThat(reason(() -> reprice(seller, unknown, 1))).isEqualTo(ErrorReason.ITEM_NOT_FOUND);
      assertThat(reason(() -> remove(seller, unknown, 1))).isEqualTo(ErrorReason.ITEM_NOT_FOUND);
      assertThat(reason(() -> get(unknown))).isEqualTo(ErrorReason.ITEM_NOT_FOUND);
    }
    assertThat(get(id)).isEqualTo(item);
  }

  @Test
  void purchaseIsSoldCompletelyAtTheExpectedPricesOrNotAtAll() {
    long tux = catalog.addItem(seller, "Tux", 2, 1).getItemId();
    long whale = catalog.addItem(other, "Whale", 2, 1).getItemId();

    assertThat(reason(() -> buy("a", line(tux, 1, 250), line(whale, 3, 250))))
        .isEqualTo(ErrorReason.OUT_OF_STOCK);
    assertThat(reason(() -> buy("b", line(tux, 1, 250), line(whale, 1, 249))))
        .isEqualTo(ErrorReason.PRICE_CHANGED);
    assertThat(reason(() -> buy("c", line(tux, 1, 250), line(1, 1, 2599))))
        .as("the shop's own product")
        .isEqualTo(ErrorReason.ITEM_NOT_FOUND);
    assertThat(reason(() -> buy("d", Line.newBuilder().setName("Tux").setQuantity(1).build())))
        .isEqualTo(ErrorReason.INVALID);
    assertThat(reason(() -> buy("e"))).isEqualTo(ErrorReason.INVALID);
    assertThat(get(tux).getQuantity() + get(whale).getQuantity()).isEqualTo(4);

    var sale = buy("f", line(tux, 2, 250), line(whale, 1, 250));
    assertThat(sale.getLinesList())
        .extracting(it -> it.getSellerId())
        .containsExactly((long) seller, (long) other);
    assertThat(buy("f", line(tux, 2, 250), line(whale, 1, 250))).isEqualTo(sale);
    assertThat(get(tux).getQuantity() + get(whale).getQuantity()).isEqualTo(1);
    assertThat(buy("g", line(whale, 1, 250)).getNumber()).isEqualTo(sale.getNumber() + 1);
    assertThat(catalog.trade()).as("number in the store's series").isZero();
  }

  @Test
  void returnRestoresStockOnceAndHasItsOwnNumber() {
    long tux = catalog.addItem(seller, "Tux", 2, 1).getItemId();
    var sale = catalog.buy("buy", tux, 2);
    reprice(seller, tux, 999);

    var back = catalog.giveBack("back", sale.getNumber());
    assertThat(back.toBuilder().clearSoldAt().build())
        .isEqualTo(
            sale.toBuilder()
                .setNumber(sale.getNumber() + 1)
                .setKey("s\nback")
                .setKind(SaleKind.SALE_KIND_RETURN)
                .clearSoldAt()
                .build());
    stop();
    start();
    assertThat(catalog.giveBack("back", sale.getNumber())).isEqualTo(back);
    assertThat(reason(() -> catalog.giveBack("again", sale.getNumber())))
        .isEqualTo(ErrorReason.ALREADY_RETURNED);
    for (long unknown : List.of(back.getNumber(), back.getNumber() + 1)) {
      assertThat(reason(() -> catalog.giveBack("unknown " + unknown, unknown)))
          .isEqualTo(ErrorReason.ORDER_NOT_FOUND);
    }
    assertThat(reason(() -> catalog.giveBack("n", -1))).isEqualTo(ErrorReason.INVALID);
    assertThat(get(tux).getQuantity()).isEqualTo(2);
    assertThat(
            catalog
                .items()
                .listItemSales(
                    ListItemSalesRequest.newBuilder()
                        .setFrom(sale.getNumber())
                        .setLimit(10)
                        .build())
                .getSalesList())
        .containsExactly(sale, back);
    assertAudited();
  }

  @ParameterizedTest
  @CsvSource({"-1,10", "0,0", "0,1001"})
  void invalidPageOfSalesIsRefused(long from, int limit) {
    var request = ListItemSalesRequest.newBuilder().setFrom(from).setLimit(limit).build();
    assertThat(reason(() -> catalog.items().listItemSales(request))).isEqualTo(ErrorReason.INVALID);
  }

  /// Otherwise an older catalog would assign numbers again that the caller knows.
  @Test
  void catalogThatDoesNotHaveTheCallersLastSaleSellsNothing() {
    long tux = catalog.addItem(seller, "Tux", 3, 1).getItemId();
    long last = catalog.buy("before", tux, 1).getNumber();
    var sell =
        SellItemsRequest.newBuilder()
            .addLines(Line.newBuilder().setProductId(tux).setQuantity(1))
            .setLastNumber(last + 1);
    var giveBack = ReturnItemsRequest.newBuilder().setSaleNumber(last).setLastNumber(last + 1);
    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            () -> catalog.items("behind").sellItems(sell.build()),
            () -> catalog.items("behind back").returnItems(giveBack.build()))) {
      assertThat(reason(call)).isEqualTo(ErrorReason.CATALOG_BEHIND);
    }
    assertThat(get(tux).getQuantity()).isEqualTo(2);
    assertThat(
            catalog
                .items("behind")
                .sellItems(sell.setLastNumber(last).build())
                .getSale()
                .getNumber())
        .isEqualTo(last + 1);
    assertThat(catalog.items("behind back").returnItems(giveBack.build()).getSale().getNumber())
        .isEqualTo(last + 2);
  }

  @Test
  void cancelledSaleIsRefusedFromNowOnUnlessItWasMade() {
    long tux = catalog.addItem(seller, "Tux", 3, 1).getItemId();
    long sold = catalog.buy("sold", tux, 1).getNumber();
    var sell =
        SellItemsRequest.newBuilder().addLines(Line.newBuilder().setProductId(tux).setQuantity(1));
    assertThat(catalog.items("sold").sellItems(sell.setCancel(true).build()).getSale().getNumber())
        .isEqualTo(sold);
    assertThat(reason(() -> catalog.items("new").sellItems(sell.build())))
        .isEqualTo(ErrorReason.SALE_CANCELLED);
    stop();
    start();
    assertThat(reason(() -> catalog.items("new").sellItems(sell.setCancel(false).build())))
        .as("the sale arrives late")
        .isEqualTo(ErrorReason.SALE_CANCELLED);
    assertThat(get(tux).getQuantity()).isEqualTo(2);
  }

  /// Two tabs of a seller who removes units once.
  @Test
  void unitsAreNotRemovedFromAnotherStockThanTheSellerSaw() {
    long tux = catalog.addItem(seller, "Tux", 9, 1).getItemId();
    var remove =
        RemoveUnitsRequest.newBuilder()
            .setSellerId(seller)
            .setItemId(tux)
            .setQuantity(2)
            .setExpectedStock(9)
            .build();
    assertThat(catalog.items().removeUnits(remove).getItem().getQuantity()).isEqualTo(7);
    assertThat(reason(() -> catalog.items().removeUnits(remove)))
        .isEqualTo(ErrorReason.STOCK_CHANGED);
    assertThat(get(tux).getQuantity()).isEqualTo(7);
  }

  @Test
  void tooLateRequestsAreNotProcessed() {
    var item = catalog.addItem(seller, "Tux", 2, 1);
    var late = new CallEnvelope(new RequestKey("s", "late", true), Instant.ofEpochSecond(1));
    var items = catalog.items().withInterceptors(late);
    assertThat(
            List.of(
                reason(() ->
                    items.addItem(
                        AddItemRequest.newBuilder().setSellerId(seller).setItem(spec()).build())),
                reason(() ->
                    items.updateItemPrice(
                        UpdateItemPriceRequest.newBuilder()
                            .setSellerId(seller)
                            .setItemId(item.getItemId())
                            .setPriceCents(1)
                            .build())),
                reason(() ->
                    items.removeUnits(
                        RemoveUnitsRequest.newBuilder()
                            .setSellerId(seller)
                            .setItemId(item.getItemId())
                            .setQuantity(1)
                            .build())),
                reason(() ->
                    items.sellItems(
                        SellItemsRequest.newBuilder()
                            .addLines(line(item.getItemId(), 1, 250))
                            .build())),
                reason(() -> items.returnItems(ReturnItemsRequest.getDefaultInstance()))))
        .allMatch(ErrorReason.TOO_LATE::equals);
    assertThat(get(item.getItemId())).isEqualTo(item);
  }

  private static ItemSpec.Builder spec() {
    return ItemSpec.newBuilder()
        .setName("Tux")
        .setCondition(Condition.CONDITION_NEW)
        .setPriceCents(1)
        .setQuantity(1);
  }

  private AddItemResponse add(CallEnvelope envelope, ItemSpec spec) {
    return catalog
        .items()
        .withInterceptors(envelope)
        .addItem(AddItemRequest.newBuilder().setSellerId(seller).setItem(spec).build());
  }

  private toystore.catalog.v1.Item get(long id) {
    return catalog.items().getItem(GetItemRequest.newBuilder().setItemId(id).build()).getItem();
  }

  private List<toystore.catalog.v1.Item> ofSeller(long seller) {
    return catalog
        .items()
        .listItems(ListItemsRequest.newBuilder().setSellerId(seller).build())
        .getItemsList();
  }

  private SearchItemsResponse search(int category, String after, String... keywords) {
    return catalog
        .items()
        .searchItems(
            SearchItemsRequest.newBuilder()
                .setCategory(category)
                .setAfter(after)
                .addAllKeywords(List.of(keywords))
                .build());
  }

  private toystore.catalog.v1.Item reprice(long seller, long id, long cents) {
    return catalog
        .items()
        .updateItemPrice(
            UpdateItemPriceRequest.newBuilder()
                .setSellerId(seller)
                .setItemId(id)
                .setPriceCents(cents)
                .build())
        .getItem();
  }

  private toystore.catalog.v1.Item remove(long seller, long id, long units) {
    return catalog
        .items()
        .removeUnits(
            RemoveUnitsRequest.newBuilder()
                .setSellerId(seller)
                .setItemId(id)
                .setQuantity(units)
                .build())
        .getItem();
  }

  private toystore.catalog.v1.Sale buy(String key, Line... lines) {
    return catalog
        .items(key)
        .sellItems(SellItemsRequest.newBuilder().addAllLines(List.of(lines)).build())
        .getSale();
  }

  private static Line line(long item, long quantity, long cents) {
    return Line.newBuilder()
        .setProductId(item)
        .setQuantity(quantity)
        .setExpectedPriceCents(cents)
        .build();
  }

  private void assertAudited() {
    assertThat(catalog.audit().getChecksList()).isNotEmpty().allMatch(AuditCheck::getOk);
  }

  private static ErrorReason reason(ThrowingCallable call) {
    return error(call).reason();
  }

  private static RpcError error(ThrowingCallable call) {
    var failure = catchThrowableOfType(StatusRuntimeException.class, call);
    assertThat(failure).isNotNull();
    return RpcError.of(failure);
  }
}
