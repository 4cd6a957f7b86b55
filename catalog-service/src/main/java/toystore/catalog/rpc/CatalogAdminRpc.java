package toystore.catalog.rpc;

import static toystore.common.RootLocale.format;

import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
import io.grpc.Context;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;
import org.springframework.grpc.server.service.GrpcService;
import toystore.catalog.domain.Catalog;
import toystore.catalog.domain.CatalogCommand;
import toystore.catalog.domain.CatalogCsv;
import toystore.catalog.domain.CatalogUnitOfWork;
import toystore.catalog.domain.ProductDifference;
import toystore.catalog.domain.ProductRef;
import toystore.catalog.domain.ProductSpec;
import toystore.catalog.domain.RecordedChange;
import toystore.catalog.storage.ChangeSearch;
import toystore.catalog.storage.SaleStore;
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
import toystore.platform.rpc.CallEnvelope;
import toystore.platform.rpc.RpcError;
import toystore.platform.rpc.UnaryResponses;
import toystore.platform.service.AdministratorInterceptor;
import toystore.platform.service.CallOrigin;
import toystore.platform.storage.ReadPool;
import toystore.platform.storage.SingleWriter;
import toystore.platform.text.Limits;

/// `toystore.catalog.v1.CatalogAdminService`. Never blocks.
@GrpcService(interceptors = {AdministratorInterceptor.class, CallOrigin.class})
final class CatalogAdminRpc extends CatalogAdminServiceGrpc.CatalogAdminServiceImplBase {
  private final Catalog catalog;
  private final SingleWriter<CatalogUnitOfWork> writer;
  private final ReadPool readers;
  private final Semaphore importing = new Semaphore(1); // each may need much of the heap

  CatalogAdminRpc(Catalog catalog, SingleWriter<CatalogUnitOfWork> writer, ReadPool readers) {
    this.catalog = catalog;
    this.writer = writer;
    this.readers = readers;
  }

  @Override
  public void addProduct(AddProductRequest request, StreamObserver<AddProductResponse> answer) {
    CatalogMessages.changeOnce(
        answer,
        writer,
        () -> record(new CatalogCommand.Add(spec(request.getProduct()))),
        it -> AddProductResponse.newBuilder().setProduct(CatalogMessages.product(it)).build());
  }

  @Override
  public void restock(RestockRequest request, StreamObserver<RestockResponse> answer) {
    CatalogMessages.changeOnce(
        answer,
        writer,
        () ->
            record(
                new CatalogCommand.Restock(
                    ProductRef.of(request.getName(), request.getProductId()),
                    request.getQuantity())),
        it -> RestockResponse.newBuilder().setProduct(CatalogMessages.product(it)).build());
  }

  @Override
  public void resumeTrading(
      ResumeTradingRequest request, StreamObserver<ResumeTradingResponse> answer) {
    CatalogMessages.changeOnce(
        answer,
        writer,
        () ->
            record(
                new CatalogCommand.Resume(
                    ProductRef.of(request.getName(), request.getProductId()),
                    request.hasMaxVolume() ? (Long) request.getMaxVolume() : null,
                    request.hasExpectedVolume() ? (Long) request.getExpectedVolume() : null)),
        it -> ResumeTradingResponse.newBuilder().setProduct(CatalogMessages.product(it)).build());
  }

  @Override
  public void removeProduct(
      RemoveProductRequest request, StreamObserver<RemoveProductResponse> answer) {
    CatalogMessages.change(
        answer,
        writer,
        () ->
            record(
                new CatalogCommand.Remove(
                    ProductRef.of(request.getName(), request.getProductId()))),
        it -> RemoveProductResponse.newBuilder().setProduct(CatalogMessages.product(it)).build());
  }

  @Override
  public void updateProduct(
      UpdateProductRequest request, StreamObserver<UpdateProductResponse> answer) {
    CatalogMessages.change(
        answer,
        writer,
        () ->
            record(
                new CatalogCommand.Reprice(
                    ProductRef.of(request.getName(), request.getProductId()),
                    request.getPriceCents(),
                    request.hasExpectedPriceCents()
                        ? (Long) request.getExpectedPriceCents()
                        : null)),
        it -> UpdateProductResponse.newBuilder().setProduct(CatalogMessages.product(it)).build());
  }

  @Override
  public void importProducts(
      ImportProductsRequest request, StreamObserver<ImportProductsResponse> answer) {
    CallEnvelope call = CallEnvelope.current();
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
                  () -> importSlices(request, call),
                  Context.current().fixedContextExecutor(Thread::startVirtualThread))
              .whenComplete((_, _) -> importing.release());
        });
  }

  /// Validates the whole file and compares it with what was seen, then imports it in slices, so
  /// that the writer can sell between two. Each compares its products again.
  ///
  /// @throws io.grpc.StatusRuntimeException with the number of imported products, if a later slice
  ///   fails
  private ImportProductsResponse importSlices(ImportProductsRequest request, CallEnvelope call) {
    Map<String, String> seen =
        request.getSeenList().stream()
            .collect(
                Collectors.toMap(
                    SeenDifferences::getName, SeenDifferences::getDifferences, (_, last) -> last));
    var all =
        new CatalogCommand.Import(CatalogCsv.read(request.getCsv()), request.getDryRun(), seen);
    var response = ImportProductsResponse.newBuilder();
    List<CatalogCommand.Import> slices = all.slices();
    if (slices.size() > 1 && !seen.isEmpty()) {
      new CatalogCommand.Import(all.specs(), true, seen).slices().forEach(it -> submit(call, it));
    }
    int imported = 0;
    for (CatalogCommand.Import slice : slices) {
      try {
        submit(call, slice).forEach(it -> response.addChanges(difference(it)));
      } catch (CompletionException | StatusRuntimeException e) {
        if (imported == 0 || all.dryRun()) {
          throw e;
        }
        Throwable cause = e.getCause() == null ? e : e.getCause();
        throw new RpcError(
                ErrorReason.OUTCOME_UNKNOWN,
                format(
                    "only %d of %d products were imported (%s); repeat the import",
                    imported, all.specs().size(), cause.getMessage()))
            .toException();
      }
      imported += slice.specs().size();
    }
    return response.build();
  }

  private List<ProductDifference> submit(CallEnvelope call, CatalogCommand.Import slice) {
    return call.submit(writer, record(slice), null).toCompletableFuture().join();
  }

  @Override
  public void listChanges(ListChangesRequest request, StreamObserver<ListChangesResponse> answer) {
    UnaryResponses.send(
        answer,
        () -> {
          int limit = CatalogMessages.limit(request.getLimit());
          Limits.checkAtLeast("before", request.getBefore(), 0);
          long before = request.getBefore() == 0 ? Long.MAX_VALUE : request.getBefore();
          var search =
              new ChangeSearch(
                  request.getProduct(), request.getChangedBy(), request.getFoldRestocks());
          return readers.read(connection -> changes(search.page(connection, before, limit)));
        });
  }

  private static ListChangesResponse changes(ChangeSearch.Page page) {
    var response = ListChangesResponse.newBuilder().setNext(page.next());
    for (ChangeSearch.Entry entry : page.entries()) {
      RecordedChange change = entry.latest().change();
      var message =
          response
              .addChangesBuilder()
              .setNumber(entry.latest().number())
              .setChangedAt(timestamp(change))
              .setChangedBy(change.by())
              .setChange(difference(change.difference()));
      if (entry.restocks() > 0) {
        message.setRestocks(entry.restocks()).setFirstChangedAt(timestamp(entry.first().change()));
      }
    }
    return response.build();
  }

  private static Timestamp timestamp(RecordedChange change) {
    return Timestamps.fromMillis(change.time().toEpochMilli());
  }

  @Override
  public void endSession(EndSessionRequest request, StreamObserver<EndSessionResponse> answer) {
    CallEnvelope call = CallEnvelope.current();
    UnaryResponses.send(
        answer,
        () ->
            call.submit(
                    writer,
                    new CatalogCommand.EndSession(),
                    CatalogCommand.EndSession.key(request.getSessionId()))
                .thenApply(_ -> EndSessionResponse.getDefaultInstance()));
  }

  @Override
  public void getSession(GetSessionRequest request, StreamObserver<GetSessionResponse> answer) {
    UnaryResponses.send(
        answer,
        () -> {
          var key = CatalogCommand.EndSession.key(request.getSessionId());
          return readers.read(connection ->
              GetSessionResponse.newBuilder()
                  .setEnded(SaleStore.isAnswered(connection, key))
                  .build());
        });
  }

  private static <T> CatalogCommand<T> record(CatalogCommand<T> command) {
    return new CatalogCommand.RecordedFor<>("administrator, " + CallOrigin.current(), command);
  }

  private static ProductChange difference(ProductDifference difference) {
    var change = ProductChange.newBuilder().setDifferences(difference.text());
    if (difference.before() != null) {
      change.setBefore(CatalogMessages.product(difference.before()));
    }
    if (difference.after() != null) {
      change.setAfter(CatalogMessages.product(difference.after()));
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
