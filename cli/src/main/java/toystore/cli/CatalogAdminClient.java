package toystore.cli;

import com.google.protobuf.Timestamp;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import toystore.catalog.v1.CatalogAdminServiceGrpc;
import toystore.catalog.v1.CatalogAdminServiceGrpc.CatalogAdminServiceBlockingStub;
import toystore.catalog.v1.ImportProductsRequest;
import toystore.catalog.v1.ProductChange;

/// A gRPC client of the catalog on 127.0.0.1, with the administrator's token.
final class CatalogAdminClient implements AutoCloseable {
  private static final Duration DEADLINE = Duration.ofSeconds(30);

  private final GrpcConnection connection;
  private final CatalogAdminServiceBlockingStub stub;

  /// @param token the administrator's
  CatalogAdminClient(int port, String token) {
    connection = GrpcConnection.to(StoreLayout.LOOPBACK, port);
    stub =
        CatalogAdminServiceGrpc.newBlockingStub(connection.channel())
            .withInterceptors(GrpcConnection.bearer(token));
  }

  /// Imports products from CSV text.
  ///
  /// @param dryRun whether to return the changes without applying them
  List<ProductChange> importProducts(String csv, boolean dryRun) {
    var decideBy = Instant.now().plus(DEADLINE);
    return stub.withDeadlineAfter(DEADLINE)
        .importProducts(
            ImportProductsRequest.newBuilder()
                .setCsv(csv)
                .setDryRun(dryRun)
                .setDecideBy(
                    Timestamp.newBuilder()
                        .setSeconds(decideBy.getEpochSecond())
                        .setNanos(decideBy.getNano()))
                .build())
        .getChangesList();
  }

  /// The reason of a failed call: a line, or several if a file has several invalid lines.
  static String reason(StatusRuntimeException failure) {
    var status = failure.getStatus();
    if (status.getCode() == Status.Code.UNAVAILABLE && status.getCause() != null) {
      return "cannot reach the catalog: " + status.getCause().getMessage();
    }
    var description = status.getDescription();
    return description == null
        ? "the catalog answered with status " + status.getCode()
        : description.replaceAll("[\\s&&[^\n]]+", " ");
  }

  @Override
  public void close() {
    connection.close();
  }
}
