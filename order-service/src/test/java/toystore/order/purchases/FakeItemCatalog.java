package toystore.order.purchases;

import static java.util.Objects.requireNonNull;
import static toystore.common.RootLocale.format;

import com.google.protobuf.util.Timestamps;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import toystore.catalog.v1.GetItemRequest;
import toystore.catalog.v1.GetItemResponse;
import toystore.catalog.v1.Item;
import toystore.catalog.v1.ItemServiceGrpc;
import toystore.catalog.v1.ListItemSalesRequest;
import toystore.catalog.v1.ListItemSalesResponse;
import toystore.catalog.v1.ReturnItemsRequest;
import toystore.catalog.v1.ReturnItemsResponse;
import toystore.catalog.v1.Sale;
import toystore.catalog.v1.SaleLine;
import toystore.catalog.v1.SellItemsRequest;
import toystore.catalog.v1.SellItemsResponse;
import toystore.catalog.v1.Series;
import toystore.common.v1.Line;
import toystore.common.v1.SaleKind;
import toystore.platform.error.ErrorReason;
import toystore.platform.rpc.CallEnvelope;
import toystore.platform.rpc.RpcError;

/// Keeps stock, sells all lines or none, and answers a repeated key with its first answer.
final class FakeItemCatalog extends ItemServiceGrpc.ItemServiceImplBase {
  private static final ErrorReason ITEM_NOT_FOUND = ErrorReason.ITEM_NOT_FOUND;
  private static final ErrorReason OUT_OF_STOCK = ErrorReason.OUT_OF_STOCK;
  private static final ErrorReason SALE_CANCELLED = ErrorReason.SALE_CANCELLED;
  private static final ErrorReason PRICE_CHANGED = ErrorReason.PRICE_CHANGED;

  final List<Sale> purchases = new CopyOnWriteArrayList<>();
  private final Map<Long, Item> items = new ConcurrentHashMap<>();
  private final Map<String, Object> answers = new ConcurrentHashMap<>();

  /// Calls that change something are refused with NOT_DONE.
  volatile boolean unavailable;

  /// If false, the call fails with UNAVAILABLE.
  volatile boolean listsSales = true;

  /// So many calls are processed without an answer.
  final AtomicInteger lostAnswers = new AtomicInteger();

  /// Calls that name a sale which this catalog does not have.
  final AtomicInteger behind = new AtomicInteger();

  /// Sales wait for it before they are processed; cancelled ones do not.
  volatile CountDownLatch open = new CountDownLatch(0);

  final AtomicInteger arrived = new AtomicInteger();

  final AtomicInteger sold = new AtomicInteger();

  void put(long id, long priceCents, long stock) {
    items.put(
        id,
        Item.newBuilder()
            .setItemId(id)
            .setSellerId(id)
            .setName("item " + id)
            .setPriceCents(priceCents)
            .setQuantity(stock)
            .build());
  }

  void remove(long id) {
    items.remove(id);
  }

  long priceCents(long id) {
    return requireNonNull(items.get(id)).getPriceCents();
  }

  long stock(long id) {
    return requireNonNull(items.get(id)).getQuantity();
  }

  @Override
  public void getItem(GetItemRequest request, StreamObserver<GetItemResponse> observer) {
    Item item = items.get(request.getItemId());
    if (unavailable) {
      observer.onError(Status.UNAVAILABLE.asRuntimeException());
    } else if (item == null) {
      observer.onError(new RpcError(ITEM_NOT_FOUND, "item not found").toException());
    } else {
      observer.onNext(GetItemResponse.newBuilder().setItem(item).build());
      observer.onCompleted();
    }
  }

  @Override
  public void sellItems(SellItemsRequest request, StreamObserver<SellItemsResponse> observer) {
    arrived.incrementAndGet();
    if (!request.getCancel()) {
      awaitOpen();
    }
    answer(
        observer,
        request.getLastNumber(),
        () -> SellItemsResponse.newBuilder().setSale(sell(request)).build());
    sold.incrementAndGet();
  }

  @Override
  public void returnItems(
      ReturnItemsRequest request, StreamObserver<ReturnItemsResponse> observer) {
    answer(
        observer,
        request.getLastNumber(),
        () -> ReturnItemsResponse.newBuilder().setSale(giveBack(request)).build());
  }

  @Override
  public void listItemSales(
      ListItemSalesRequest request, StreamObserver<ListItemSalesResponse> observer) {
    if (!listsSales) {
      observer.onError(Status.UNAVAILABLE.asRuntimeException());
      return;
    }
    int from = (int) Math.min(request.getFrom(), purchases.size());
    int to = Math.min(from + request.getLimit(), purchases.size());
    observer.onNext(
        ListItemSalesResponse.newBuilder()
            .addAllSales(purchases.subList(from, to))
            .setNextNumber(purchases.size())
            .build());
    observer.onCompleted();
  }

  @SuppressWarnings("unchecked")
  private synchronized <A> void answer(
      StreamObserver<A> observer, long lastNumber, Supplier<A> decision) {
    if (lastNumber >= purchases.size()) {
      behind.incrementAndGet();
      observer.onError(new RpcError(ErrorReason.CATALOG_BEHIND, "planned").toException());
      return;
    }
    if (unavailable) {
      observer.onError(new RpcError(ErrorReason.NOT_DONE, "planned").toException());
      return;
    }
    Object answer =
        answers.computeIfAbsent(
            CallEnvelope.current().key().stored(),
            _ -> {
              try {
                return decision.get();
              } catch (StatusRuntimeException e) {
                return e;
              }
            });
    if (lostAnswers.getAndUpdate(it -> Math.max(0, it - 1)) > 0) {
      observer.onError(Status.UNAVAILABLE.asRuntimeException());
    } else if (answer instanceof StatusRuntimeException refusal) {
      observer.onError(refusal);
    } else {
      observer.onNext((A) answer);
      observer.onCompleted();
    }
  }

  private Sale sell(SellItemsRequest request) {
    if (request.getCancel()) {
      throw new RpcError(SALE_CANCELLED, "planned").toException();
    }
    var sale = newSale(SaleKind.SALE_KIND_ORDER);
    for (Line line : request.getLinesList()) {
      Item item = items.get(line.getProductId());
      if (item == null) {
        throw new RpcError(ITEM_NOT_FOUND, "item not found").toException();
      }
      if (item.getPriceCents() != line.getExpectedPriceCents()) {
        throw new RpcError(
                PRICE_CHANGED,
                format(
                    "\"%s\" costs %s, expected %s",
                    item.getName(),
                    BigDecimal.valueOf(item.getPriceCents(), 2),
                    BigDecimal.valueOf(line.getExpectedPriceCents(), 2)))
            .toException();
      }
      if (item.getQuantity() < line.getQuantity()) {
        throw new RpcError(OUT_OF_STOCK, "not enough left").toException();
      }
      sale.addLines(
          SaleLine.newBuilder()
              .setProductId(item.getItemId())
              .setName(item.getName())
              .setQuantity(line.getQuantity())
              .setPriceCents(item.getPriceCents())
              .setSellerId(item.getSellerId()));
    }
    sale.getLinesList().forEach(it -> addStock(it.getProductId(), -it.getQuantity()));
    purchases.add(sale.build());
    return purchases.getLast();
  }

  private Sale giveBack(ReturnItemsRequest request) {
    Sale sold = purchases.get((int) request.getSaleNumber());
    sold.getLinesList().forEach(it -> addStock(it.getProductId(), it.getQuantity()));
    purchases.add(newSale(SaleKind.SALE_KIND_RETURN).addAllLines(sold.getLinesList()).build());
    return purchases.getLast();
  }

  private Sale.Builder newSale(SaleKind kind) {
    return Sale.newBuilder()
        .setSeries(Series.SERIES_PURCHASES)
        .setNumber(purchases.size())
        .setKey(CallEnvelope.current().key().stored())
        .setKind(kind)
        .setSoldAt(Timestamps.fromMillis(1_800_000_000_000L + purchases.size()));
  }

  private void addStock(long id, long units) {
    items.computeIfPresent(
        id, (_, it) -> it.toBuilder().setQuantity(it.getQuantity() + units).build());
  }

  private void awaitOpen() {
    try {
      open.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
