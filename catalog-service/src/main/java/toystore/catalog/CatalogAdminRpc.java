package toystore.catalog;

import com.google.protobuf.Timestamp;
import io.grpc.Context;
import io.grpc.stub.StreamObserver;
import java.time.Instant;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
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
import toystore.catalog.v1.UpdateProductRequest;
import toystore.catalog.v1.UpdateProductResponse;
import toystore.common.v1.IdempotencyKey;
import toystore.rpc.Answers;
import toystore.writer.SingleWriter;

/// `toystore.catalog.v1.CatalogAdminService`: what the administrator may do. Everything goes to the
/// writer; never blocks.
@Component
final class CatalogAdminRpc extends CatalogAdminServiceGrpc.CatalogAdminServiceImplBase {
  private final SingleWriter<Request, Answer> writer;

  CatalogAdminRpc(SingleWriter<Request, Answer> writer) {
    this.writer = writer;
  }

  @Override
  public void addProduct(AddProductRequest request, StreamObserver<AddProductResponse> answer) {
    Answers.send(
        CatalogRpc.checked(() ->
            change(
                new Command.Add(spec(request.getProduct())),
                request.getKey(),
                request.hasDecideBy() ? request.getDecideBy() : null,
                it ->
                    AddProductResponse.newBuilder()
                        .setProduct(CatalogRpc.product(it.product()))
                        .setReplayed(it.replayed())
                        .build())),
        answer);
  }

  @Override
  public void restock(RestockRequest request, StreamObserver<RestockResponse> answer) {
    Answers.send(
        CatalogRpc.checked(() ->
            change(
                new Command.Restock(request.getName(), request.getQuantity()),
                request.getKey(),
                request.hasDecideBy() ? request.getDecideBy() : null,
                it ->
                    RestockResponse.newBuilder()
                        .setProduct(CatalogRpc.product(it.product()))
                        .setReplayed(it.replayed())
                        .build())),
        answer);
  }

  @Override
  public void removeProduct(
      RemoveProductRequest request, StreamObserver<RemoveProductResponse> answer) {
    Answers.send(
        CatalogRpc.checked(() ->
            change(
                new Command.Remove(request.getName()),
                null,
                request.hasDecideBy() ? request.getDecideBy() : null,
                it ->
                    RemoveProductResponse.newBuilder()
                        .setProduct(CatalogRpc.product(it.product()))
                        .build())),
        answer);
  }

  @Override
  public void updateProduct(
      UpdateProductRequest request, StreamObserver<UpdateProductResponse> answer) {
    Answers.send(
        CatalogRpc.checked(() ->
            change(
                new Command.Reprice(request.getName(), request.getPriceCents()),
                null,
                request.hasDecideBy() ? request.getDecideBy() : null,
                it ->
                    UpdateProductResponse.newBuilder()
                        .setProduct(CatalogRpc.product(it.product()))
                        .build())),
        answer);
  }

  @Override
  public void importProducts(
      ImportProductsRequest request, StreamObserver<ImportProductsResponse> answer) {
    Answers.send(
        CatalogRpc.checked(() ->
            submit(
                    new Command.Import(
                        request.getProductsList().stream().map(CatalogAdminRpc::spec).toList(),
                        request.getDryRun()),
                    null,
                    request.hasDecideBy() ? request.getDecideBy() : null)
                .thenApply(CatalogAdminRpc::imported)),
        answer);
  }

  private <T> CompletionStage<T> change(
      Command command,
      @Nullable IdempotencyKey key,
      @Nullable Timestamp decideBy,
      Function<Answer.Changed, T> response) {
    return submit(command, key, decideBy).thenApply(answer -> response.apply(changed(answer)));
  }

  private CompletionStage<Answer> submit(
      Command command, @Nullable IdempotencyKey key, @Nullable Timestamp decideBy) {
    Instant by = decideBy == null ? null : CatalogRpc.instant(decideBy);
    return writer.submit(
        new Request(
            command, key == null ? null : CatalogRpc.key(key), by, Context.current()::isCancelled));
  }

  private static Answer.Changed changed(Answer answer) {
    return switch (answer) {
      case Answer.Changed changed -> changed;
      case Refused refused -> throw CatalogRpc.problem(refused);
      case Answer.Sold _, Answer.Imported _ ->
          throw new IllegalStateException("a change answered with " + answer);
    };
  }

  private static ImportProductsResponse imported(Answer answer) {
    return switch (answer) {
      case Answer.Imported imported -> {
        var response = ImportProductsResponse.newBuilder();
        imported.differences().forEach(it -> response.addChanges(difference(it)));
        yield response.build();
      }
      case Refused refused -> throw CatalogRpc.problem(refused);
      case Answer.Sold _, Answer.Changed _ ->
          throw new IllegalStateException("an import answered with " + answer);
    };
  }

  private static ProductChange difference(Answer.Difference difference) {
    var change = ProductChange.newBuilder().setAfter(CatalogRpc.product(difference.after()));
    if (difference.before() != null) {
      change.setBefore(CatalogRpc.product(difference.before()));
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
