package toystore.cli;

import com.google.protobuf.Timestamp;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import toystore.catalog.v1.CatalogAdminServiceGrpc;
import toystore.catalog.v1.ImportProductsRequest;
import toystore.catalog.v1.ProductChange;

/// The catalog of this machine, as its administrator reaches it: by gRPC on 127.0.0.1, with the
/// administrator's token.
final class CatalogAdminClient implements AutoCloseable {
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
  private static final Duration DEADLINE = Duration.ofSeconds(30);

  private final GrpcConnection connection;
  private final Metadata token;
  private final InstantSource clock;

  private CatalogAdminClient(GrpcConnection connection, Metadata token, InstantSource clock) {
    this.connection = connection;
    this.token = token;
    this.clock = clock;
  }

  /// @param token the administrator's
  static CatalogAdminClient at(int port, String token) {
    var headers = new Metadata();
    headers.put(AUTHORIZATION, "Bearer " + token);
    return new CatalogAdminClient(
        GrpcConnection.to(StorePlan.LOOPBACK, port), headers, InstantSource.system());
  }

  /// What the products would change, or, for real, what they did change: all of them or none.
  List<ProductChange> importProducts(String csv, boolean dryRun) {
    return CatalogAdminServiceGrpc.newBlockingStub(connection.channel())
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(token))
        .withDeadlineAfter(DEADLINE)
        .importProducts(
            ImportProductsRequest.newBuilder()
                .setCsv(csv)
                .setDryRun(dryRun)
                .setDecideBy(timestamp(clock.instant().plus(DEADLINE)))
                .build())
        .getChangesList();
  }

  /// Why a call failed, in one line.
  static String reason(StatusRuntimeException failure) {
    var status = failure.getStatus();
    if (status.getCode() == Status.Code.UNAVAILABLE && status.getCause() != null) {
      return "the catalog is away: " + status.getCause().getMessage();
    }
    var description = status.getDescription();
    return description == null
        ? "the catalog answered " + status.getCode()
        : description.replaceAll("\\s+", " ");
  }

  @Override
  public void close() {
    connection.close();
  }

  private static Timestamp timestamp(Instant instant) {
    return Timestamp.newBuilder()
        .setSeconds(instant.getEpochSecond())
        .setNanos(instant.getNano())
        .build();
  }
}
