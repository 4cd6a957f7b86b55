package toystore.catalog;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static toystore.common.RootLocale.format;

import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;
import toystore.bazaar.v1.StockBazaarGrpc;
import toystore.bazaar.v1.TradeRequest;
import toystore.bazaar.v1.TradeType;
import toystore.catalog.domain.Catalog;
import toystore.catalog.v1.CatalogAdminServiceGrpc;
import toystore.catalog.v1.CatalogAdminServiceGrpc.CatalogAdminServiceFutureStub;
import toystore.catalog.v1.ImportProductsRequest;
import toystore.catalog.v1.ImportProductsResponse;
import toystore.clients.Conditions;
import toystore.clients.FreePorts;
import toystore.platform.service.ServiceProcess;

/// Imports over a real port.
class ImportTest {
  private static final int PRODUCTS = 10_000;

  @TempDir Path folder;
  private ConfigurableApplicationContext service;
  private Catalog catalog;
  private ManagedChannel channel;

  @BeforeEach
  void start() {
    int port = FreePorts.free();
    service =
        ServiceProcess.startBeside(
            CatalogApplication.class,
            CatalogApplication.NAME,
            CatalogApplication.SETTINGS,
            List.of(
                "--toystore.data=" + folder,
                "--toystore.admin-token=token",
                "--toystore.catalog.port=" + port));
    catalog = service.getBean(Catalog.class);
    channel =
        Grpc.newChannelBuilder("127.0.0.1:" + port, InsecureChannelCredentials.create())
            .maxInboundMessageSize(64 << 20)
            .build();
  }

  @AfterEach
  void stop() {
    channel.shutdownNow();
    service.close();
  }

  @Test
  void salesAreAnsweredWhileALargeImportRuns() throws Exception {
    int before = catalog.size();
    Future<ImportProductsResponse> importing = admin().importProducts(request(csv(PRODUCTS, "")));
    Conditions.await(() -> catalog.size() > before);
    int sales = 0;
    while (!importing.isDone()) {
      assertThat(trade()).isEqualTo(1);
      sales++;
    }
    assertThat(importing.get().getChangesCount()).isEqualTo(PRODUCTS);
    assertThat(sales).as("one, if the import kept others waiting").isGreaterThan(2);
  }

  @Test
  void fileWithAnInvalidLastLineChangesNothing() {
    int before = catalog.size();
    assertThatThrownBy(
            () -> admin().importProducts(request(csv(2_000, "x,free,1\n"))).get(20, SECONDS))
        .hasMessageContaining("line 2002: price must be a number with at most two decimals");
    assertThat(catalog.size()).isEqualTo(before);
  }

  /// The last product is in the second slice.
  @Test
  void importThatWouldNotChangeWhatWasSeenImportsNothing() throws Exception {
    var file = ImportProductsRequest.newBuilder().setCsv(csv(600, "GameStart,20,77\n"));
    var preview = admin().importProducts(file.setDryRun(true).build()).get(20, SECONDS);
    preview
        .getChangesList()
        .forEach(it ->
            file.addSeenBuilder()
                .setName(it.getAfter().getName())
                .setDifferences(it.getDifferences()));
    int before = catalog.size();
    assertThat(trade()).isEqualTo(1); // the shop buys one unit
    assertThatThrownBy(() -> admin().importProducts(file.setDryRun(false).build()).get(20, SECONDS))
        .hasMessageContaining("FAILED_PRECONDITION: \"GameStart\" has changed")
        .hasMessageContaining("expected price 15.99 → 20.00, quantity 100 → 77")
        .hasMessageContaining("got price 15.99 → 20.00, quantity 101 → 77");
    assertThat(catalog.size()).isEqualTo(before);
    file.setSeen(
        600,
        file.getSeen(600).toBuilder().setDifferences("price 15.99 → 20.00, quantity 101 → 77"));
    assertThat(admin().importProducts(file.build()).get(20, SECONDS).getChangesCount())
        .isEqualTo(601);
  }

  @Test
  void importsBeyondTheFirstAreRefusedUntilItEnds() throws Exception {
    int before = catalog.size();
    Future<ImportProductsResponse> first = admin().importProducts(request(csv(PRODUCTS, "")));
    Conditions.await(() -> catalog.size() > before);
    assertThatThrownBy(() -> admin().importProducts(request(csv(1, ""))).get(20, SECONDS))
        .hasMessageContaining(
            "another import is in progress; the request was not processed; retry later");
    assertThatThrownBy(() ->
            CatalogAdminServiceGrpc.newBlockingStub(channel).importProducts(request(csv(1, ""))))
        .as("the token is checked first")
        .hasMessageStartingWith("UNAUTHENTICATED");
    assertThat(first.get(60, SECONDS).getChangesCount()).isEqualTo(PRODUCTS);
    assertThat(code()).as("the permit is free when the answer arrives").isEqualTo(Code.OK);
  }

  @Test
  void eightLargeImportsAtTheSameTimeAreAnsweredOrRefused() {
    String large = csv(1, "\"" + "x".repeat(15 << 20) + "\",1,1\n");
    List<Future<ImportProductsResponse>> imports =
        IntStream.range(0, 8)
            .<Future<ImportProductsResponse>>mapToObj(_ -> admin().importProducts(request(large)))
            .toList();
    for (Future<ImportProductsResponse> one : imports) {
      assertThatThrownBy(() -> one.get(30, SECONDS))
          .cause()
          .isInstanceOfSatisfying(
              StatusRuntimeException.class,
              error ->
                  assertThat(error.getStatus().getCode())
                      .isIn(Code.INVALID_ARGUMENT, Code.RESOURCE_EXHAUSTED));
    }
    assertThat(code()).isEqualTo(Code.OK);
  }

  /// Its size in memory would not be bounded.
  @Test
  void compressedRequestIsRefused() {
    var stub = StockBazaarGrpc.newBlockingStub(channel).withCompression("gzip");
    assertThatThrownBy(() -> stub.trade(TradeRequest.getDefaultInstance()))
        .hasMessageStartingWith("UNIMPLEMENTED");
  }

  private Code code() {
    try {
      admin().importProducts(request(csv(1, ""))).get(20, SECONDS);
      return Code.OK;
    } catch (Exception e) {
      return io.grpc.Status.fromThrowable(e).getCode();
    }
  }

  private int trade() {
    return StockBazaarGrpc.newBlockingStub(channel)
        .withDeadlineAfter(20, SECONDS)
        .trade(
            TradeRequest.newBuilder()
                .setName("GameStart")
                .setQuantity(1)
                .setType(TradeType.SELL)
                .build())
        .getResult();
  }

  private CatalogAdminServiceFutureStub admin() {
    return CatalogAdminServiceGrpc.newFutureStub(channel)
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(token()));
  }

  private static Metadata token() {
    var headers = new Metadata();
    headers.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer token");
    return headers;
  }

  private static ImportProductsRequest request(String csv) {
    return ImportProductsRequest.newBuilder().setCsv(csv).build();
  }

  private static String csv(int products, String lastLines) {
    return IntStream.range(0, products)
        .mapToObj(i -> format("Toy %d,9.99,5\n", i))
        .collect(Collectors.joining("", "name,price,quantity\n", lastLines));
  }
}
