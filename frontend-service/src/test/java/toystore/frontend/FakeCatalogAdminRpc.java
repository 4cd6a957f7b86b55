package toystore.frontend;

import com.google.protobuf.util.Timestamps;
import io.grpc.stub.StreamObserver;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Stream;
import toystore.catalog.v1.AddProductRequest;
import toystore.catalog.v1.AddProductResponse;
import toystore.catalog.v1.CatalogAdminServiceGrpc;
import toystore.catalog.v1.EndSessionRequest;
import toystore.catalog.v1.EndSessionResponse;
import toystore.catalog.v1.GetSessionRequest;
import toystore.catalog.v1.GetSessionResponse;
import toystore.catalog.v1.ImportProductsRequest;
import toystore.catalog.v1.ImportProductsResponse;
import toystore.catalog.v1.ListChangesRequest;
import toystore.catalog.v1.ListChangesResponse;
import toystore.catalog.v1.ProductChange;
import toystore.catalog.v1.RecordedChange;
import toystore.catalog.v1.RemoveProductRequest;
import toystore.catalog.v1.RemoveProductResponse;
import toystore.catalog.v1.RestockRequest;
import toystore.catalog.v1.RestockResponse;
import toystore.catalog.v1.ResumeTradingRequest;
import toystore.catalog.v1.ResumeTradingResponse;
import toystore.catalog.v1.SeenDifferences;
import toystore.catalog.v1.UpdateProductRequest;
import toystore.catalog.v1.UpdateProductResponse;
import toystore.platform.error.ErrorReason;
import toystore.platform.journal.RequestKey;
import toystore.platform.rpc.CallEnvelope;
import toystore.platform.rpc.RpcError;
import toystore.platform.service.CallOrigin;

/// The admin service of [FakeCatalogRpc]. It stores its answer for each key.
final class FakeCatalogAdminRpc extends CatalogAdminServiceGrpc.CatalogAdminServiceImplBase {
  private static final RecordedChange RESTOCKS =
      RecordedChange.newBuilder()
          .setNumber(1)
          .setChangedBy("store, restock-interval")
          .setChangedAt(Timestamps.fromSeconds(86_400))
          .setRestocks(3)
          .setFirstChangedAt(Timestamps.EPOCH)
          .build();

  private final FakeCatalogRpc catalog;
  private final Set<String> ended = ConcurrentHashMap.newKeySet();
  private final ConcurrentMap<RequestKey, AddProductResponse> added = new ConcurrentHashMap<>();
  private final ConcurrentMap<RequestKey, RestockResponse> restocked = new ConcurrentHashMap<>();

  private final ConcurrentMap<RequestKey, ResumeTradingResponse> resumed =
      new ConcurrentHashMap<>();

  private final Deque<RecordedChange> changes = new ConcurrentLinkedDeque<>();

  FakeCatalogAdminRpc(FakeCatalogRpc catalog) {
    this.catalog = catalog;
  }

  @Override
  public void addProduct(
      AddProductRequest request, StreamObserver<AddProductResponse> responseObserver) {
    FakeResponses.send(
        responseObserver,
        () -> {
          var stored = added.get(CallEnvelope.current().key());
          if (stored != null) {
            CallEnvelope.current().markReplayed();
            return stored;
          }
          var product = request.getProduct();
          catalog.throwIfFailing(product.getName());
          if (catalog.has(product.getName())) {
            throw new RpcError(ErrorReason.NAME_TAKEN, product.getName() + " is taken")
                .toException();
          }
          catalog.put(
              product.getName(),
              product.getPriceCents(),
              product.getQuantity(),
              product.getCategory());
          var answer =
              AddProductResponse.newBuilder()
                  .setProduct(catalog.require(product.getName()))
                  .build();
          added.put(CallEnvelope.current().key(), answer);
          return answer;
        });
  }

  @Override
  public void removeProduct(
      RemoveProductRequest request, StreamObserver<RemoveProductResponse> responseObserver) {
    FakeResponses.send(
        responseObserver,
        () ->
            RemoveProductResponse.newBuilder()
                .setProduct(catalog.remove(request.getName()))
                .build());
  }

  @Override
  public void updateProduct(
      UpdateProductRequest request, StreamObserver<UpdateProductResponse> responseObserver) {
    FakeResponses.send(
        responseObserver,
        () -> {
          catalog.requirePrice(
              request.getName(), request.getExpectedPriceCents(), ErrorReason.PRODUCT_CHANGED);
          return UpdateProductResponse.newBuilder()
              .setProduct(catalog.reprice(request.getName(), request.getPriceCents()))
              .build();
        });
  }

  /// Knows only imports of prices, and compares each with what was seen. Records only imports.
  @Override
  public void importProducts(
      ImportProductsRequest request, StreamObserver<ImportProductsResponse> responseObserver) {
    FakeResponses.send(
        responseObserver,
        () -> {
          var response = ImportProductsResponse.newBuilder();
          for (String line : request.getCsv().lines().skip(1).toList()) {
            String[] values = line.split(",");
            catalog.throwIfFailing(values[0]);
            var before = catalog.require(values[0]);
            long cents = Long.parseLong(values[1]) * 100;
            var text =
                before.getPriceCents() == cents
                    ? "no difference"
                    : "price " + before.getPriceCents() + " → " + cents;
            requireSeen(request, values[0], text);
            if (before.getPriceCents() != cents) {
              var change =
                  ProductChange.newBuilder()
                      .setBefore(before)
                      .setAfter(before.toBuilder().setPriceCents(cents))
                      .setDifferences(text);
              response.addChanges(change);
              if (!request.getDryRun()) {
                catalog.reprice(values[0], cents);
                changes.addFirst(
                    RecordedChange.newBuilder()
                        .setNumber(changes.size() + 1)
                        .setChangedBy("administrator, " + CallOrigin.current())
                        .setChange(change)
                        .build());
              }
            }
          }
          return response.build();
        });
  }

  private static void requireSeen(ImportProductsRequest request, String name, String difference) {
    var seen =
        request.getSeenList().stream()
            .filter(it -> it.getName().equals(name))
            .map(SeenDifferences::getDifferences)
            .findFirst()
            .orElse("no difference");
    if (request.getSeenCount() > 0 && !seen.equals(difference)) {
      throw new RpcError(
              ErrorReason.PRODUCT_CHANGED, name + ": expected " + seen + ", got " + difference)
          .toException();
    }
  }

  /// Restocks come last.
  @Override
  public void listChanges(
      ListChangesRequest request, StreamObserver<ListChangesResponse> responseObserver) {
    FakeResponses.send(
        responseObserver,
        () ->
            ListChangesResponse.newBuilder()
                .addAllChanges(
                    Stream.concat(changes.stream(), Stream.of(RESTOCKS))
                        .filter(it -> it.getChangedBy().contains(request.getChangedBy()))
                        .filter(it ->
                            it.getChange().getAfter().getName().contains(request.getProduct()))
                        .toList())
                .setNext(7)
                .build());
  }

  @Override
  public void endSession(
      EndSessionRequest request, StreamObserver<EndSessionResponse> responseObserver) {
    ended.add(request.getSessionId());
    FakeResponses.send(responseObserver, EndSessionResponse::getDefaultInstance);
  }

  @Override
  public void getSession(
      GetSessionRequest request, StreamObserver<GetSessionResponse> responseObserver) {
    FakeResponses.send(
        responseObserver,
        () ->
            GetSessionResponse.newBuilder()
                .setEnded(ended.contains(request.getSessionId()))
                .build());
  }

  @Override
  public void resumeTrading(
      ResumeTradingRequest request, StreamObserver<ResumeTradingResponse> responseObserver) {
    FakeResponses.send(
        responseObserver,
        () -> {
          var stored = resumed.get(CallEnvelope.current().key());
          if (stored != null) {
            CallEnvelope.current().markReplayed();
            return stored;
          }
          if (request.hasExpectedVolume()) {
            catalog.requireSuspended(request.getName(), request.getExpectedVolume());
          }
          var answer =
              ResumeTradingResponse.newBuilder()
                  .setProduct(catalog.resume(request.getName(), request.getMaxVolume()))
                  .build();
          resumed.put(CallEnvelope.current().key(), answer);
          return answer;
        });
  }

  @Override
  public void restock(RestockRequest request, StreamObserver<RestockResponse> responseObserver) {
    FakeResponses.send(
        responseObserver,
        () -> {
          var stored = restocked.get(CallEnvelope.current().key());
          if (stored != null) {
            CallEnvelope.current().markReplayed();
            return stored;
          }
          var answer =
              RestockResponse.newBuilder()
                  .setProduct(catalog.add(request.getName(), request.getQuantity()))
                  .build();
          restocked.put(CallEnvelope.current().key(), answer);
          return answer;
        });
  }
}
