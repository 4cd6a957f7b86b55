package toystore.catalog.rpc;

import static java.util.Objects.requireNonNull;
import static toystore.common.RootLocale.format;

import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.grpc.server.service.GrpcService;
import toystore.catalog.domain.Catalog;
import toystore.catalog.domain.CatalogCommand;
import toystore.catalog.domain.CatalogUnitOfWork;
import toystore.catalog.domain.Item;
import toystore.catalog.domain.Items;
import toystore.catalog.domain.PostingIndex;
import toystore.catalog.domain.Product;
import toystore.catalog.domain.RequestedSaleLine;
import toystore.catalog.domain.SaleKind;
import toystore.catalog.domain.SaleSeries;
import toystore.catalog.storage.CatalogBatches;
import toystore.catalog.v1.AddItemRequest;
import toystore.catalog.v1.AddItemResponse;
import toystore.catalog.v1.Condition;
import toystore.catalog.v1.GetItemRequest;
import toystore.catalog.v1.GetItemResponse;
import toystore.catalog.v1.ItemServiceGrpc;
import toystore.catalog.v1.ItemSpec;
import toystore.catalog.v1.ListItemSalesRequest;
import toystore.catalog.v1.ListItemSalesResponse;
import toystore.catalog.v1.ListItemsRequest;
import toystore.catalog.v1.ListItemsResponse;
import toystore.catalog.v1.RemoveUnitsRequest;
import toystore.catalog.v1.RemoveUnitsResponse;
import toystore.catalog.v1.ReturnItemsRequest;
import toystore.catalog.v1.ReturnItemsResponse;
import toystore.catalog.v1.SaleLine;
import toystore.catalog.v1.SearchItemsRequest;
import toystore.catalog.v1.SearchItemsResponse;
import toystore.catalog.v1.SellItemsRequest;
import toystore.catalog.v1.SellItemsResponse;
import toystore.catalog.v1.UpdateItemPriceRequest;
import toystore.catalog.v1.UpdateItemPriceResponse;
import toystore.platform.error.ErrorReason;
import toystore.platform.rpc.RpcError;
import toystore.platform.rpc.UnaryResponses;
import toystore.platform.service.AdministratorInterceptor;
import toystore.platform.storage.ReadPool;
import toystore.platform.storage.SingleWriter;
import toystore.platform.text.IdentifierText;
import toystore.platform.text.Limits;

/// `toystore.catalog.v1.ItemService`. Runs on gRPC's I/O threads and never blocks: queries come
/// from memory, changes go to the writer.
@GrpcService(interceptors = AdministratorInterceptor.class)
final class ItemRpc extends ItemServiceGrpc.ItemServiceImplBase {
  /// The number of matching keywords and the id.
  private static final Pattern POSITION = Pattern.compile("([1-9]):(\\d{1,18})");

  private final Items items;
  private final SingleWriter<CatalogUnitOfWork> writer;
  private final ReadPool salesReader;
  private final CatalogBatches state;

  ItemRpc(
      Catalog catalog,
      SingleWriter<CatalogUnitOfWork> writer,
      @Qualifier("salesReader") ReadPool salesReader,
      CatalogBatches state) {
    this.items = catalog.items();
    this.writer = writer;
    this.salesReader = salesReader;
    this.state = state;
  }

  @Override
  public void addItem(AddItemRequest request, StreamObserver<AddItemResponse> answer) {
    CatalogMessages.changeOnce(
        answer,
        writer,
        () -> addItem(request.getSellerId(), request.getItem()),
        it -> AddItemResponse.newBuilder().setItem(item(it)).build());
  }

  private static CatalogCommand<Product> addItem(long sellerId, ItemSpec spec) {
    return new CatalogCommand.AddItem(
        spec.getName(),
        spec.getPriceCents(),
        spec.getQuantity(),
        new Item(
            sellerId,
            spec.getCategory(),
            IdentifierText.keywords(spec.getKeywordsList()),
            switch (spec.getCondition()) {
              case CONDITION_NEW -> Item.Condition.NEW;
              case CONDITION_USED -> Item.Condition.USED;
              case CONDITION_UNSPECIFIED, UNRECOGNIZED ->
                  throw new IllegalArgumentException(
                      "condition must be CONDITION_NEW or CONDITION_USED, got "
                          + spec.getCondition());
            }));
  }

  @Override
  public void getItem(GetItemRequest request, StreamObserver<GetItemResponse> answer) {
    CatalogMessages.answer(
        answer,
        () -> {
          Product product = items.find(request.getItemId());
          if (product == null) {
            throw new RpcError(ErrorReason.ITEM_NOT_FOUND, "item not found").toException();
          }
          return GetItemResponse.newBuilder().setItem(item(product)).build();
        });
  }

  @Override
  public void listItems(ListItemsRequest request, StreamObserver<ListItemsResponse> answer) {
    CatalogMessages.answer(
        answer,
        () -> {
          int limit = CatalogMessages.limit(request.getLimit());
          Limits.check("after", request.getAfter(), 0, Long.MAX_VALUE);
          List<Product> page = items.ofSeller(request.getSellerId(), request.getAfter(), limit + 1);
          var response = ListItemsResponse.newBuilder();
          page.stream().limit(limit).forEach(it -> response.addItems(item(it)));
          if (page.size() > limit) {
            response.setNext(page.get(limit - 1).id());
          }
          return response.build();
        });
  }

  @Override
  public void searchItems(SearchItemsRequest request, StreamObserver<SearchItemsResponse> answer) {
    CatalogMessages.answer(
        answer,
        () -> {
          int limit = CatalogMessages.limit(request.getLimit());
          List<String> keywords = request.getKeywordsList();
          Limits.check("category", request.getCategory(), Items.ALL_CATEGORIES, Integer.MAX_VALUE);
          Limits.check("number of keywords", keywords.size(), 0, Item.KEYWORDS);
          checkKeywordLengths(keywords);
          List<PostingIndex.Match> page =
              items.search(
                  request.getCategory(), keywords, position(request.getAfter()), limit + 1);
          var response = SearchItemsResponse.newBuilder();
          for (PostingIndex.Match match : page.subList(0, Math.min(limit, page.size()))) {
            Product product = items.find(match.id());
            if (product != null && product.quantity() > 0) { // sold out since it was found
              response.addItems(item(product));
            }
          }
          if (page.size() > limit) {
            PostingIndex.Match last = page.get(limit - 1);
            response.setNext(last.keywords() + ":" + last.id());
          }
          return response.build();
        });
  }

  /// Bounds the work of a search.
  private static void checkKeywordLengths(List<String> keywords) {
    for (String keyword : keywords) {
      if (!IdentifierText.hasKeywordLength(keyword)) {
        throw Limits.invalid(
            "a keyword must have 1 to 8 characters, got %d",
            keyword.codePointCount(0, keyword.length()));
      }
    }
  }

  private static PostingIndex.@Nullable Match position(String after) {
    if (after.isEmpty()) {
      return null;
    }
    Matcher position = POSITION.matcher(after);
    if (!position.matches()) {
      throw Limits.invalid("after must be the `next` of a page, got \"%s\"", after);
    }
    return new PostingIndex.Match(
        Integer.parseInt(position.group(1)), Long.parseLong(position.group(2)));
  }

  @Override
  public void updateItemPrice(
      UpdateItemPriceRequest request, StreamObserver<UpdateItemPriceResponse> answer) {
    CatalogMessages.change(
        answer,
        writer,
        () ->
            new CatalogCommand.RepriceItem(
                request.getSellerId(),
                request.getItemId(),
                request.getPriceCents(),
                request.hasExpectedPriceCents() ? (Long) request.getExpectedPriceCents() : null),
        it -> UpdateItemPriceResponse.newBuilder().setItem(item(it)).build());
  }

  @Override
  public void removeUnits(RemoveUnitsRequest request, StreamObserver<RemoveUnitsResponse> answer) {
    CatalogMessages.change(
        answer,
        writer,
        () ->
            new CatalogCommand.RemoveUnits(
                request.getSellerId(),
                request.getItemId(),
                request.getQuantity(),
                request.hasExpectedStock() ? (Long) request.getExpectedStock() : null),
        it -> RemoveUnitsResponse.newBuilder().setItem(item(it)).build());
  }

  @Override
  public void sellItems(SellItemsRequest request, StreamObserver<SellItemsResponse> answer) {
    CatalogMessages.changeOnce(
        answer,
        writer,
        () -> {
          checkHas(request.hasLastNumber() ? request.getLastNumber() : -1);
          var sale =
              new CatalogCommand.Sell(
                  SaleSeries.PURCHASES,
                  SaleKind.ORDER,
                  true,
                  request.getLinesList().stream().map(ItemRpc::line).toList());
          return request.getCancel() ? new CatalogCommand.CancelSale(sale) : sale;
        },
        it ->
            SellItemsResponse.newBuilder().setSale(withSellers(CatalogMessages.sale(it))).build());
  }

  private toystore.catalog.v1.Sale withSellers(toystore.catalog.v1.Sale sale) {
    var message = sale.toBuilder();
    for (SaleLine.Builder line : message.getLinesBuilderList()) {
      Product product = items.find(line.getProductId());
      if (product != null) {
        line.setSellerId(item(product).getSellerId());
      }
    }
    return message.build();
  }

  private static RequestedSaleLine line(toystore.common.v1.Line line) {
    if (line.getProductId() == 0) {
      throw Limits.invalid("each line must have a product_id, got the name \"%s\"", line.getName());
    }
    return CatalogMessages.line(line);
  }

  @Override
  public void returnItems(ReturnItemsRequest request, StreamObserver<ReturnItemsResponse> answer) {
    CatalogMessages.changeOnce(
        answer,
        writer,
        () -> {
          checkHas(request.hasLastNumber() ? request.getLastNumber() : -1);
          return new CatalogCommand.ReturnPurchase(request.getSaleNumber());
        },
        it ->
            ReturnItemsResponse.newBuilder()
                .setSale(withSellers(CatalogMessages.sale(it)))
                .build());
  }

  /// Refuses a call if the catalog lacks the last sale that the caller knows. Numbers only grow, so
  /// the writer need not compare them.
  ///
  /// @param last -1: the caller knows none
  private void checkHas(long last) {
    long next = state.nextNumber(SaleSeries.PURCHASES);
    if (last >= next) {
      throw new RpcError(
              ErrorReason.CATALOG_BEHIND,
              format(
                  "purchase %d is known, but the catalog's next one is %d; nothing is sold until an operator resolves this",
                  last, next))
          .toException();
    }
  }

  @Override
  public void listItemSales(
      ListItemSalesRequest request, StreamObserver<ListItemSalesResponse> answer) {
    UnaryResponses.send(
        answer,
        () -> {
          CatalogMessages.checkSalesPage(request.getFrom(), request.getLimit());
          return salesReader
              .read(connection ->
                  CatalogRpc.sales(
                      connection, SaleSeries.PURCHASES, request.getFrom(), request.getLimit()))
              .thenApply(it ->
                  ListItemSalesResponse.newBuilder()
                      .addAllSales(it.getSalesList().stream().map(this::withSellers).toList())
                      .setNextNumber(it.getNextNumber())
                      .build());
        });
  }

  private static toystore.catalog.v1.Item item(Product product) {
    Item item = requireNonNull(product.item());
    return toystore.catalog.v1.Item.newBuilder()
        .setItemId(product.id())
        .setSellerId(item.sellerId())
        .setName(product.name())
        .setCategory(item.category())
        .addAllKeywords(item.keywords())
        .setCondition(
            switch (item.condition()) {
              case NEW -> Condition.CONDITION_NEW;
              case USED -> Condition.CONDITION_USED;
            })
        .setPriceCents(product.priceCents())
        .setQuantity(product.quantity())
        .build();
  }
}
