package toystore.frontend;

import io.grpc.stub.StreamObserver;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import toystore.catalog.v1.AddProductRequest;
import toystore.catalog.v1.AddProductResponse;
import toystore.catalog.v1.CatalogAdminServiceGrpc;
import toystore.catalog.v1.RemoveProductRequest;
import toystore.catalog.v1.RemoveProductResponse;
import toystore.catalog.v1.RestockRequest;
import toystore.catalog.v1.RestockResponse;
import toystore.catalog.v1.ResumeTradingRequest;
import toystore.catalog.v1.ResumeTradingResponse;
import toystore.catalog.v1.UpdateProductRequest;
import toystore.catalog.v1.UpdateProductResponse;
import toystore.common.v1.IdempotencyKey;
import toystore.platform.rpc.RpcError;

/// The admin service of [FakeCatalogRpc]. It stores its answer for each key.
final class FakeCatalogAdminRpc extends CatalogAdminServiceGrpc.CatalogAdminServiceImplBase {
  private final FakeCatalogRpc catalog;
  private final ConcurrentMap<IdempotencyKey, AddProductResponse> added = new ConcurrentHashMap<>();
  private final ConcurrentMap<IdempotencyKey, RestockResponse> restocked =
      new ConcurrentHashMap<>();

  private final ConcurrentMap<IdempotencyKey, ResumeTradingResponse> resumed =
      new ConcurrentHashMap<>();

  FakeCatalogAdminRpc(FakeCatalogRpc catalog) {
    this.catalog = catalog;
  }

  @Override
  public void addProduct(
      AddProductRequest request, StreamObserver<AddProductResponse> responseObserver) {
    FakeResponses.send(
        responseObserver,
        () -> {
          var stored = added.get(request.getKey());
          if (stored != null) {
            return stored.toBuilder().setReplayed(true).build();
          }
          var product = request.getProduct();
          catalog.throwIfFailing(product.getName());
          if (catalog.has(product.getName())) {
            throw new RpcError(BackendErrors.NAME_TAKEN, product.getName() + " is taken")
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
          added.put(request.getKey(), answer);
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
        () ->
            UpdateProductResponse.newBuilder()
                .setProduct(catalog.reprice(request.getName(), request.getPriceCents()))
                .build());
  }

  @Override
  public void resumeTrading(
      ResumeTradingRequest request, StreamObserver<ResumeTradingResponse> responseObserver) {
    FakeResponses.send(
        responseObserver,
        () -> {
          var stored = resumed.get(request.getKey());
          if (stored != null) {
            return stored.toBuilder().setReplayed(true).build();
          }
          var answer =
              ResumeTradingResponse.newBuilder()
                  .setProduct(catalog.resume(request.getName(), request.getMaxVolume()))
                  .build();
          resumed.put(request.getKey(), answer);
          return answer;
        });
  }

  @Override
  public void restock(RestockRequest request, StreamObserver<RestockResponse> responseObserver) {
    FakeResponses.send(
        responseObserver,
        () -> {
          var stored = restocked.get(request.getKey());
          if (stored != null) {
            return stored.toBuilder().setReplayed(true).build();
          }
          var answer =
              RestockResponse.newBuilder()
                  .setProduct(catalog.add(request.getName(), request.getQuantity()))
                  .build();
          restocked.put(request.getKey(), answer);
          return answer;
        });
  }
}
