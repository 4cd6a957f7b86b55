package toystore.cli;

import com.google.protobuf.Timestamp;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import toystore.catalog.v1.CatalogAdminServiceGrpc;
import toystore.catalog.v1.ImportProductsRequest;
import toystore.catalog.v1.ProductChange;

/// The catalog of this machine, as its administrator reaches it: by gRPC on 127.0.0.1.
final class CatalogAdminClient implements AutoCloseable {
  private static final Duration DEADLINE = Duration.ofSeconds(30);
  private static final int MOST_BYTES = 64 << 20; // 100,000 changes with long names fit

  private final ManagedChannel channel;
  private final InstantSource clock;

  CatalogAdminClient(ManagedChannel channel, InstantSource clock) {
    this.channel = channel;
    this.clock = clock;
  }

  static CatalogAdminClient at(int port) {
    var channel =
        NettyChannelBuilder.forAddress(StorePlan.LOOPBACK, port)
            .usePlaintext()
            .proxyDetector(target -> null) // this machine needs no way to itself
            .maxInboundMessageSize(MOST_BYTES)
            .build();
    return new CatalogAdminClient(channel, InstantSource.system());
  }

  /// What the products would change, or, for real, what they did change: all of them or none.
  List<ProductChange> importProducts(String csv, boolean dryRun) {
    return CatalogAdminServiceGrpc.newBlockingStub(channel)
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
    channel.shutdownNow();
    try {
      channel.awaitTermination(1, TimeUnit.SECONDS);
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
    }
  }

  private static Timestamp timestamp(Instant instant) {
    return Timestamp.newBuilder()
        .setSeconds(instant.getEpochSecond())
        .setNanos(instant.getNano())
        .build();
  }
}
