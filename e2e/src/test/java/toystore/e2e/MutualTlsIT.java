package toystore.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.clients.Conditions.await;

import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.TlsChannelCredentials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.grpc.server.lifecycle.GrpcServerLifecycle;
import toystore.catalog.v1.CatalogServiceGrpc;
import toystore.catalog.v1.GetProductRequest;
import toystore.clients.StoreHttpClient;

/// Mutual TLS between services: settings enable it, and a peer whose certificate is not from the
/// configured authority is refused.
@Tag("long")
class MutualTlsIT {
  @TempDir static Path folder;

  private static final List<ConfigurableApplicationContext> services = new ArrayList<>();
  private static TestCertificates ours;
  private static TestCertificates theirs;
  private static int catalogPort;
  private static int orderPort;

  @BeforeAll
  static void startCatalogAndOrderService() throws Exception {
    ours = TestCertificates.in(Files.createDirectory(folder.resolve("ours")));
    theirs = TestCertificates.in(Files.createDirectory(folder.resolve("theirs")));
    services.add(StoreFixture.startCatalog(settings(ours, "--toystore.catalog.port=0")));
    catalogPort = grpcPort();
    services.add(
        StoreFixture.startOrderService(
            settings(
                ours,
                "--toystore.order.port=0",
                "--toystore.order.catalog-target=static://127.0.0.1:" + catalogPort)));
    orderPort = grpcPort();
  }

  @AfterAll
  static void stop() {
    services.reversed().forEach(ConfigurableApplicationContext::close);
  }

  @Test
  void storeSellsWhenCertificatesShareOneAuthority() throws IOException {
    StoreHttpClient http = frontend(ours);
    await(http::isReady);
    assertThat(http.post("/orders", "{\"name\":\"Tux\",\"quantity\":1}").body())
        .isEqualTo("{\"data\":{\"order_number\":0}}");
    assertThat(http.failedChecks()).isEmpty();
  }

  @Test
  void frontendWithForeignCertificateIsNotReadyAndSellsNothing() throws IOException {
    StoreHttpClient http = frontend(theirs);
    assertThat(http.isReady()).isFalse();
    assertThat(http.post("/orders", "{\"name\":\"Whale\",\"quantity\":1}").status()).isEqualTo(503);
  }

  @Test
  void clientWithTrustedCertificateIsServed() throws Exception {
    assertThat(answer(credentials(ours, ours))).isEqualTo(Status.Code.OK);
  }

  /// Clients without a certificate, with a foreign one, with trust in a foreign authority, and
  /// without TLS.
  @Test
  void otherClientsAreRefused() throws Exception {
    for (ChannelCredentials other :
        List.of(
            credentials(ours, null),
            credentials(ours, theirs),
            credentials(theirs, ours),
            InsecureChannelCredentials.create())) {
      assertThat(answer(other)).isEqualTo(Status.Code.UNAVAILABLE);
    }
  }

  private static ChannelCredentials credentials(
      TestCertificates trusted, @Nullable TestCertificates own) throws IOException {
    var credentials =
        TlsChannelCredentials.newBuilder().trustManager(trusted.certificate().toFile());
    return own == null
        ? credentials.build()
        : credentials
            .keyManager(own.memberCertificate().toFile(), own.memberKey().toFile())
            .build();
  }

  private static Status.Code answer(ChannelCredentials credentials) throws InterruptedException {
    ManagedChannel channel =
        Grpc.newChannelBuilder("127.0.0.1:" + catalogPort, credentials).build();
    try {
      var tux = GetProductRequest.newBuilder().setName("Tux").build();
      CatalogServiceGrpc.newBlockingStub(channel)
          .withDeadlineAfter(10, TimeUnit.SECONDS)
          .getProduct(tux);
      return Status.Code.OK;
    } catch (StatusRuntimeException e) {
      return e.getStatus().getCode();
    } finally {
      channel.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
    }
  }

  private static StoreHttpClient frontend(TestCertificates authority) {
    List<String> settings =
        settings(
            authority,
            "--toystore.frontend.catalog-target=static://127.0.0.1:" + catalogPort,
            "--toystore.frontend.order-target=static://127.0.0.1:" + orderPort,
            "--toystore.frontend.account-target=",
            "--toystore.frontend.exchange-target=");
    services.add(StoreFixture.startFrontend(settings.toArray(String[]::new)));
    return StoreFixture.http(services.getLast());
  }

  private static List<String> settings(TestCertificates authority, String... more) {
    var all = new ArrayList<>(authority.settings());
    all.add("--toystore.data=" + folder.resolve("data"));
    all.addAll(List.of(more));
    return all;
  }

  /// Of the service that was started last.
  private static int grpcPort() {
    return services.getLast().getBean(GrpcServerLifecycle.class).getPort();
  }
}
