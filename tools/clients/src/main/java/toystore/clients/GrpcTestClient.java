package toystore.clients;

import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import io.grpc.stub.AbstractStub;
import io.grpc.stub.MetadataUtils;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import toystore.bazaar.v1.StockBazaarGrpc;
import toystore.bazaar.v1.StockBazaarGrpc.StockBazaarBlockingStub;
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

  /// A stub whose deadline begins now.
  ///
  /// @param service makes the stub, such as `CatalogServiceGrpc::newBlockingStub`
  public <S extends AbstractStub<S>> S stub(Function<Channel, S> service, Duration deadline) {
    return service.apply(channel).withDeadlineAfter(deadline);
  }

  public StockBazaarBlockingStub bazaar() {
    return StockBazaarGrpc.newBlockingStub(channel);
  }

  /// Runs the full audit of the service. Returns the details of all checks that failed or could not
  /// be made.
  public List<String> faults() {
    return stub(AuditServiceGrpc::newBlockingStub, AUDIT_DEADLINE)
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
