package toystore.clients;

import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import toystore.bazaar.v1.StockBazaarGrpc;
import toystore.bazaar.v1.StockBazaarGrpc.StockBazaarBlockingStub;
import toystore.catalog.v1.CatalogServiceGrpc;
import toystore.catalog.v1.CatalogServiceGrpc.CatalogServiceBlockingStub;
import toystore.common.v1.AuditCheck;
import toystore.common.v1.AuditRequest;
import toystore.common.v1.AuditServiceGrpc;

/// A gRPC client of a service on this machine. Any thread.
public final class GrpcTestClient implements AutoCloseable {
  private static final Duration AUDIT_DEADLINE = Duration.ofSeconds(30);

  private final ManagedChannel channel;

  public GrpcTestClient(int port) {
    this(port, new Metadata());
  }

  /// A client of the administrator.
  public GrpcTestClient(int port, String token) {
    this(port, authorization(token));
  }

  private GrpcTestClient(int port, Metadata headers) {
    channel =
        ManagedChannelBuilder.forAddress("127.0.0.1", port)
            .usePlaintext()
            .intercept(MetadataUtils.newAttachHeadersInterceptor(headers))
            .build();
  }

  private static Metadata authorization(String token) {
    var headers = new Metadata();
    headers.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
    return headers;
  }

  public ManagedChannel channel() {
    return channel;
  }

  /// Reconnects immediately, without gRPC's backoff.
  public void connectNow() {
    channel.resetConnectBackoff();
  }

  public CatalogServiceBlockingStub catalog(Duration deadline) {
    return CatalogServiceGrpc.newBlockingStub(channel)
        .withDeadlineAfter(deadline.toMillis(), TimeUnit.MILLISECONDS);
  }

  public StockBazaarBlockingStub bazaar() {
    return StockBazaarGrpc.newBlockingStub(channel);
  }

  /// Runs the full audit of the service. Returns the details of all checks that failed or could not
  /// be made.
  public List<String> faults() {
    return AuditServiceGrpc.newBlockingStub(channel)
        .withDeadlineAfter(AUDIT_DEADLINE)
        .audit(AuditRequest.newBuilder().setFull(true).build())
        .getChecksList()
        .stream()
        .filter(check -> !check.getOk())
        .map(AuditCheck::getDetail)
        .toList();
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }
}
