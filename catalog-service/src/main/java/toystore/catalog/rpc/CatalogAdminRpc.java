package toystore.catalog.rpc;

import com.google.protobuf.Timestamp;
import io.grpc.Context;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.grpc.server.service.GrpcService;
import toystore.catalog.domain.Catalog;
import toystore.catalog.domain.CatalogCommand;
import toystore.catalog.domain.CatalogCsv;
import toystore.catalog.domain.CatalogDecider;
import toystore.catalog.domain.CatalogRefusal;
import toystore.catalog.domain.Product;
import toystore.catalog.domain.ProductRef;
import toystore.catalog.domain.ProductSpec;
import toystore.catalog.v1.AddProductRequest;
import toystore.catalog.v1.AddProductResponse;
import toystore.catalog.v1.CatalogAdminServiceGrpc;
import toystore.catalog.v1.ImportProductsRequest;
import toystore.catalog.v1.ImportProductsResponse;
import toystore.catalog.v1.ProductChange;
import toystore.catalog.v1.RemoveProductRequest;
import toystore.catalog.v1.RemoveProductResponse;
import toystore.catalog.v1.RestockRequest;
import toystore.catalog.v1.RestockResponse;
import toystore.catalog.v1.ResumeTradingRequest;
import toystore.catalog.v1.ResumeTradingResponse;
import toystore.catalog.v1.UpdateProductRequest;
import toystore.catalog.v1.UpdateProductResponse;
import toystore.common.v1.IdempotencyKey;
import toystore.platform.idempotency.Answer;
import toystore.platform.rpc.CommonMessages;
import toystore.platform.rpc.ErrorReason;
import toystore.platform.rpc.RpcError;
import toystore.platform.rpc.UnaryResponses;
import toystore.platform.service.AdministratorInterceptor;
import toystore.platform.storage.SingleWriter;

/// `toystore.catalog.v1.CatalogAdminService`: calls of the administrator. The writer makes the
/// changes. Never blocks.
@GrpcService(interceptors = AdministratorInterceptor.class)
final class CatalogAdminRpc extends CatalogAdminServiceGrpc.CatalogAdminServiceImplBase {
  private final Catalog catalog;
  private final SingleWriter<CatalogDecider> writer;
  private final Semaphore importing = new Semaphore(1); // each may need much of the heap

  CatalogAdminRpc(Catalog catalog, SingleWriter<CatalogDecider> writer) {
    this.catalog = catalog;
    this.writer = writer;
  }

  @Override
  public void addProduct(AddProductRequest request, StreamObserver<AddProductResponse> answer) {
    change(
        answer,
        () -> new CatalogCommand.Add(spec(request.getProduct())),
        request.getKey(),
        request.hasDecideBy() ? request.getDecideBy() : null,
        it ->
            AddProductResponse.newBuilder()
                .setProduct(CatalogMessages.product(it.value()))
                .setVersion(CatalogMessages.version(catalog))
                .setReplayed(it.replayed())
                .build());
  }

  @Override
  public void restock(RestockRequest request, StreamObserver<RestockResponse> answer) {
    change(
        answer,
        () ->
            new CatalogCommand.Restock(
                ProductRef.of(request.getName(), request.getProductId()), request.getQuantity()),
        request.getKey(),
        request.hasDecideBy() ? request.getDecideBy() : null,
        it ->
            RestockResponse.newBuilder()
                .setProduct(CatalogMessages.product(it.value()))
                .setVersion(CatalogMessages.version(catalog))
                .setReplayed(it.replayed())
                .build());
  }

  @Override
  public void resumeTrading(
      ResumeTradingRequest request, StreamObserver<ResumeTradingResponse> answer) {
    change(
        answer,
        () ->
            new CatalogCommand.Resume(
                ProductRef.of(request.getName(), request.getProductId()),
                request.hasMaxVolume() ? (Long) request.getMaxVolume() : null),
        request.getKey(),
        request.hasDecideBy() ? request.getDecideBy() : null,
        it ->
            ResumeTradingResponse.newBuilder()
                .setProduct(CatalogMessages.product(it.value()))
                .setVersion(CatalogMessages.version(catalog))
                .setReplayed(it.replayed())
                .build());
  }

  @Override
  public void removeProduct(
      RemoveProductRequest request, StreamObserver<RemoveProductResponse> answer) {
    change(
        answer,
        () -> new CatalogCommand.Remove(ProductRef.of(request.getName(), request.getProductId())),
        null,
        request.hasDecideBy() ? request.getDecideBy() : null,
        it ->
            RemoveProductResponse.newBuilder()
                .setProduct(CatalogMessages.product(it.value()))
                .setVersion(CatalogMessages.version(catalog))
                .build());
  }

  @Override
  public void updateProduct(
      UpdateProductRequest request, StreamObserver<UpdateProductResponse> answer) {
    change(
        answer,
        () ->
            new CatalogCommand.Reprice(
                ProductRef.of(request.getName(), request.getProductId()), request.getPriceCents()),
        null,
        request.hasDecideBy() ? request.getDecideBy() : null,
        it ->
            UpdateProductResponse.newBuilder()
                .setProduct(CatalogMessages.product(it.value()))
                .setVersion(CatalogMessages.version(catalog))
                .build());
  }

  @Override
  public void importProducts(
      ImportProductsRequest request, StreamObserver<ImportProductsResponse> answer) {
    Timestamp decideBy = request.hasDecideBy() ? request.getDecideBy() : null;
    UnaryResponses.send(
        answer,
        () -> {
          if (!importing.tryAcquire()) {
            throw new RpcError(
                    ErrorReason.OVERLOADED,
                    "another import is in progress; the request was not processed; retry later")
                .toException();
          }
          return CompletableFuture.supplyAsync(
                  () -> importSlices(request, decideBy),
                  Context.current().fixedContextExecutor(Thread::startVirtualThread))
              .whenComplete((_, _) -> importing.release());
        });
  }

  /// Validates the whole file, then imports it in slices of one command each, so that the writer
  /// can sell between two slices.
  ///
  /// @throws io.grpc.StatusRuntimeException with the number of imported products, if a slice after
  ///   the first is not imported
  private ImportProductsResponse importSlices(
      ImportProductsRequest request, @Nullable Timestamp decideBy) {
    var all = new CatalogCommand.Import(CatalogCsv.read(request.getCsv()), request.getDryRun());
    var response = ImportProductsResponse.newBuilder();
    int imported = 0;
    for (CatalogCommand.Import slice : all.slices()) {
      try {
        CatalogMessages.submit(writer, slice, null, decideBy)
            .thenApply(CatalogMessages::done)
            .toCompletableFuture()
            .join()
            .value()
            .forEach(it -> response.addChanges(difference(it)));
      } catch (CompletionException | StatusRuntimeException e) {
        if (imported == 0 || all.dryRun()) {
          throw e;
        }
        Throwable cause = e.getCause() == null ? e : e.getCause();
        throw new RpcError(
                ErrorReason.OUTCOME_UNKNOWN,
                String.format(
                    Locale.ROOT,
                    "only %d of %d products were imported (%s); repeat the import",
                    imported,
                    all.specs().size(),
                    cause.getMessage()))
            .toException();
      }
      imported += slice.specs().size();
    }
    return response.build();
  }

  private <T> void change(
      StreamObserver<T> answer,
      Supplier<CatalogCommand<Product>> command,
      @Nullable IdempotencyKey key,
      @Nullable Timestamp decideBy,
      Function<Answer.Done<Product, CatalogRefusal>, T> response) {
    UnaryResponses.send(
        answer,
        () ->
            CatalogMessages.submit(
                    writer, command.get(), key == null ? null : CommonMessages.key(key), decideBy)
                .thenApply(CatalogMessages::done)
                .thenApply(response));
  }

  private static ProductChange difference(CatalogDecider.Difference difference) {
    var change = ProductChange.newBuilder().setAfter(CatalogMessages.product(difference.after()));
    if (difference.before() != null) {
      change.setBefore(CatalogMessages.product(difference.before()));
    }
    return change.build();
  }

  private static ProductSpec spec(toystore.catalog.v1.ProductSpec spec) {
    return new ProductSpec(
        spec.getName(),
        spec.getPriceCents(),
        spec.getQuantity(),
        spec.hasCategory() ? spec.getCategory() : null,
        spec.hasMaxVolume() ? (Long) spec.getMaxVolume() : null);
  }
}
