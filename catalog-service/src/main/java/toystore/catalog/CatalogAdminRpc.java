package toystore.catalog;

import com.google.protobuf.Timestamp;
import io.grpc.Context;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.grpc.server.service.GrpcService;
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
import toystore.platform.rpc.ErrorReason;
import toystore.platform.rpc.ExclusiveCallInterceptor;
import toystore.platform.rpc.RpcError;
import toystore.platform.rpc.UnaryResponses;
import toystore.platform.service.AdministratorInterceptor;
import toystore.platform.storage.SingleWriter;

/// `toystore.catalog.v1.CatalogAdminService`: calls of the administrator. The writer makes the
/// changes. Never blocks.
@GrpcService(interceptors = {AdministratorInterceptor.class, ExclusiveCallInterceptor.class})
final class CatalogAdminRpc extends CatalogAdminServiceGrpc.CatalogAdminServiceImplBase {
  private final Catalog catalog;
  private final SingleWriter<PendingCommand, CommandResult> writer;

  CatalogAdminRpc(Catalog catalog, SingleWriter<PendingCommand, CommandResult> writer) {
    this.catalog = catalog;
    this.writer = writer;
  }

  @Override
  public void addProduct(AddProductRequest request, StreamObserver<AddProductResponse> answer) {
    change(
        answer,
        () -> new Command.Add(spec(request.getProduct())),
        request.getKey(),
        request.hasDecideBy() ? request.getDecideBy() : null,
        it ->
            AddProductResponse.newBuilder()
                .setProduct(CatalogMessages.product(it.product()))
                .setVersion(CatalogMessages.version(catalog))
                .setReplayed(it.replayed())
                .build());
  }

  @Override
  public void restock(RestockRequest request, StreamObserver<RestockResponse> answer) {
    change(
        answer,
        () ->
            new Command.Restock(
                ProductRef.of(request.getName(), request.getProductId()), request.getQuantity()),
        request.getKey(),
        request.hasDecideBy() ? request.getDecideBy() : null,
        it ->
            RestockResponse.newBuilder()
                .setProduct(CatalogMessages.product(it.product()))
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
            new Command.Resume(
                ProductRef.of(request.getName(), request.getProductId()),
                request.hasMaxVolume() ? (Long) request.getMaxVolume() : null),
        request.getKey(),
        request.hasDecideBy() ? request.getDecideBy() : null,
        it ->
            ResumeTradingResponse.newBuilder()
                .setProduct(CatalogMessages.product(it.product()))
                .setVersion(CatalogMessages.version(catalog))
                .setReplayed(it.replayed())
                .build());
  }

  @Override
  public void removeProduct(
      RemoveProductRequest request, StreamObserver<RemoveProductResponse> answer) {
    change(
        answer,
        () -> new Command.Remove(ProductRef.of(request.getName(), request.getProductId())),
        null,
        request.hasDecideBy() ? request.getDecideBy() : null,
        it ->
            RemoveProductResponse.newBuilder()
                .setProduct(CatalogMessages.product(it.product()))
                .setVersion(CatalogMessages.version(catalog))
                .build());
  }

  @Override
  public void updateProduct(
      UpdateProductRequest request, StreamObserver<UpdateProductResponse> answer) {
    change(
        answer,
        () ->
            new Command.Reprice(
                ProductRef.of(request.getName(), request.getProductId()), request.getPriceCents()),
        null,
        request.hasDecideBy() ? request.getDecideBy() : null,
        it ->
            UpdateProductResponse.newBuilder()
                .setProduct(CatalogMessages.product(it.product()))
                .setVersion(CatalogMessages.version(catalog))
                .build());
  }

  @Override
  public void importProducts(
      ImportProductsRequest request, StreamObserver<ImportProductsResponse> answer) {
    Timestamp decideBy = request.hasDecideBy() ? request.getDecideBy() : null;
    UnaryResponses.send(
        answer,
        () ->
            CompletableFuture.supplyAsync(
                () -> importSlices(request, decideBy),
                Context.current().fixedContextExecutor(Thread::startVirtualThread)));
  }

  /// Validates the whole file, then imports it in slices of one command each, so that the writer
  /// can sell between two slices.
  ///
  /// @throws io.grpc.StatusRuntimeException with the number of imported products, if a slice after
  ///   the first is not imported
  private ImportProductsResponse importSlices(
      ImportProductsRequest request, @Nullable Timestamp decideBy) {
    var all = new Command.Import(CatalogCsv.read(request.getCsv()), request.getDryRun());
    var response = ImportProductsResponse.newBuilder();
    int imported = 0;
    for (Command.Import slice : all.slices()) {
      try {
        CatalogMessages.submit(writer, slice, null, decideBy, CommandResult.Imported.class)
            .toCompletableFuture()
            .join()
            .differences()
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
      Supplier<Command> command,
      @Nullable IdempotencyKey key,
      @Nullable Timestamp decideBy,
      Function<CommandResult.Changed, T> response) {
    UnaryResponses.send(
        answer,
        () ->
            CatalogMessages.submit(
                    writer, command.get(), key, decideBy, CommandResult.Changed.class)
                .thenApply(response));
  }

  private static ProductChange difference(CommandResult.Difference difference) {
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
