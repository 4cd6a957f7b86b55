package toystore.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.clients.Conditions.await;

import com.google.common.util.concurrent.ListenableFuture;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import toystore.catalog.v1.CatalogServiceGrpc;
import toystore.catalog.v1.GetProductRequest;
import toystore.catalog.v1.GetProductResponse;
import toystore.catalog.v1.ListSalesRequest;
import toystore.catalog.v1.Sale;
import toystore.catalog.v1.SellRequest;
import toystore.catalog.v1.SellResponse;
import toystore.catalog.v1.Series;
import toystore.clients.GrpcTestClient;
import toystore.clients.StoreProcesses;
import toystore.common.v1.Line;
import toystore.common.v1.SaleKind;
import toystore.platform.journal.RequestKey;
import toystore.platform.rpc.CallEnvelope;
import toystore.platform.service.ExitCode;
import toystore.store.DatabaseSessions;
import toystore.testkit.PostgresCluster;

/// Two processes of the catalog on one PostgreSQL database: one is active, the other is a standby.
@Tag("long")
@SuppressWarnings("NullAway.Init") // started before each test
class StandbyIT {
  private static final Duration DEADLINE = Duration.ofSeconds(30);
  private static final int READS = 200;
  private static final String NUMBER = "Číslo 数 5";

  @TempDir Path folder;
  private String database;
  private StoreProcesses store;
  private GrpcTestClient first;
  private GrpcTestClient second;

  @BeforeEach
  void start() throws IOException, SQLException {
    database = PostgresCluster.database("catalog");
    store =
        new StoreProcesses(folder)
            .sell("Tux,25.99," + StoreProcesses.TUX + "\n" + NUMBER + ",1.50,7\n")
            .with("catalog", "toystore.database", database)
            .with("catalog", "toystore.database-user", "postgres")
            .with("catalog", "toystore.catalog.restock-interval", "200ms");
    first = new GrpcTestClient(store.port("catalog"));
    second = new GrpcTestClient(store.port("catalog2"));
    store.start("catalog");
    await(() -> store.isReady("catalog"));
    store.start("catalog2");
    await(() -> store.isAlive("catalog2"));
  }

  @AfterEach
  void stop() {
    first.close();
    second.close();
    store.close();
  }

  @Test
  void standbyIsAliveAndNotReadyAndTakesOverWhenTheActiveProcessIsKilled() throws Exception {
    assertThat(store.isReady("catalog2")).isFalse();
    for (String name : List.of("", "storage")) {
      assertThat(health(first, name)).as("active: '%s'", name).isEqualTo(ServingStatus.SERVING);
      assertThat(health(second, name))
          .as("standby: '%s'", name)
          .isEqualTo(ServingStatus.NOT_SERVING);
    }
    assertThat(sell(first, "a").get().getSale().getNumber()).isZero();

    store.kill("catalog");
    await(() -> store.isReady("catalog2"));

    assertThat(stock(read(second))).isEqualTo(StoreProcesses.TUX - 1);
    assertThat(health(second, "storage")).isEqualTo(ServingStatus.SERVING);
    assertThat(isReplayed(second, "a")).isTrue();
    assertThat(sell(second, "b").get().getSale().getNumber()).isOne();

    store.start("catalog");
    await(() -> store.isAlive("catalog"));
    store.stop("catalog2");
    await(() -> store.isReady("catalog"));
    first.connectNow();
    assertThat(sell(first, "c").get().getSale().getNumber()).isEqualTo(2);
    assertThat(first.faults()).isEmpty();
  }

  @Test
  void standbyAnswersNoCallUntilItHasLoadedAllCommittedRows() throws Exception {
    assertThat(sell(first, "a", NUMBER, 2).get().getSale().getNumber()).isZero();
    for (ListenableFuture<?> call : List.of(sell(second, "b", NUMBER, 1), read(second, NUMBER))) {
      assertThat(call)
          .failsWithin(DEADLINE)
          .withThrowableOfType(ExecutionException.class)
          .withMessageContaining("UNAVAILABLE: ");
    }
    assertThat(store.isReady("catalog2")).isFalse();
    assertThat(sell(first, "c", NUMBER, 3).get().getSale().getNumber()).isOne();

    store.kill("catalog");
    await(() -> store.isReady("catalog2"));
    assertThat(read(second, NUMBER).get().getProduct().getQuantity()).isEqualTo(2);
    assertThat(sell(second, "b", NUMBER, 1).get().getSale().getNumber()).isEqualTo(2);
    assertThat(sales()).extracting(Sale::getKey).containsExactly("test\na", "test\nc", "test\nb");
  }

  @Test
  void stoppedProcessThatContinuesAfterTheTakeoverServesNoOldStockAndCommitsNothing()
      throws Exception {
    assertThat(sell(first, "a").get().getSale().getNumber()).isZero();
    store.freeze("catalog");
    await(() -> store.isReady("catalog2"));
    assertThat(sell(second, "b").get().getSale().getNumber()).isOne();

    List<ListenableFuture<GetProductResponse>> reads = new ArrayList<>();
    for (int i = 0; i < READS; i++) {
      reads.add(read(first));
    }
    ListenableFuture<SellResponse> sale = sell(first, "late");
    store.thaw("catalog");

    assertThat(store.process("catalog").waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(store.process("catalog").exitValue()).isEqualTo(ExitCode.TAKEN_OVER);
    for (ListenableFuture<GetProductResponse> read : reads) {
      assertThat(isRefused(read))
          .as("a read is refused, or its stock is that after sale b")
          .isTrue();
    }
    assertThat(isRefused(sale)).isTrue();
    assertThat(stock(read(second))).isEqualTo(StoreProcesses.TUX - 2);
    assertThat(sales()).extracting(Sale::getKey).containsExactly("test\na", "test\nb");
    assertThat(second.faults()).isEmpty();
  }

  @Test
  void catalogGoesOnAfterAllSessionsWereEnded() throws Exception {
    assertThat(sell(first, "a").get().getSale().getNumber()).isZero();

    DatabaseSessions.end(database, StoreFixture.databaseUser());

    await(() -> !isRefused(sell(first, "b")) || !isRefused(sell(second, "b")));
    // on a loaded machine, the standby may be the first to lock the database again
    boolean isTakenOver = isRefused(sell(first, "b"));
    GrpcTestClient active = isTakenOver ? second : first;
    assertThat(sell(active, "b").get().getSale().getNumber()).isOne();
    assertThat(isReplayed(active, "a")).isTrue();
    assertThat(store.isReady(isTakenOver ? "catalog" : "catalog2")).isFalse();
    assertThat(active.faults()).isEmpty();
  }

  @Test
  void onlyTheActiveProcessRestocksAndWhatItFilledOutlivesIt() throws Exception {
    sell(first, "all", "Tux", StoreProcesses.TUX).get();
    await(() -> stock(read(first)) == 100);
    assertThat(sell(first, "some", "Tux", 60).get().getSale().getNumber()).isOne();

    store.kill("catalog");
    await(() -> store.isReady("catalog2"));

    assertThat(stock(read(second))).isEqualTo(40);
    sell(second, "the rest", "Tux", 40).get();
    await(() -> stock(read(second)) == 100);
    assertThat(sales()).hasSize(3);
    assertThat(second.faults()).isEmpty();
  }

  private static ServingStatus health(GrpcTestClient process, String name) {
    return HealthGrpc.newBlockingStub(process.channel())
        .withDeadlineAfter(DEADLINE)
        .check(HealthCheckRequest.newBuilder().setService(name).build())
        .getStatus();
  }

  private static ListenableFuture<GetProductResponse> read(GrpcTestClient process) {
    return read(process, "Tux");
  }

  private static ListenableFuture<GetProductResponse> read(GrpcTestClient process, String name) {
    return CatalogServiceGrpc.newFutureStub(process.channel())
        .withDeadlineAfter(DEADLINE)
        .getProduct(GetProductRequest.newBuilder().setName(name).build());
  }

  private static long stock(ListenableFuture<GetProductResponse> read)
      throws ExecutionException, InterruptedException {
    return read.get().getProduct().getQuantity();
  }

  private static ListenableFuture<SellResponse> sell(GrpcTestClient process, String key) {
    return sell(process, key, "Tux", 1);
  }

  private static ListenableFuture<SellResponse> sell(
      GrpcTestClient process, String key, String name, long units) {
    return sell(process, envelope(key), name, units);
  }

  private static CallEnvelope envelope(String key) {
    return new CallEnvelope(new RequestKey("test", key, true), null);
  }

  private static ListenableFuture<SellResponse> sell(
      GrpcTestClient process, CallEnvelope envelope, String name, long units) {
    return CatalogServiceGrpc.newFutureStub(process.channel())
        .withDeadlineAfter(DEADLINE)
        .withInterceptors(envelope)
        .sell(
            SellRequest.newBuilder()
                .setSeries(Series.SERIES_STORE)
                .setKind(SaleKind.SALE_KIND_ORDER)
                .addLines(Line.newBuilder().setName(name).setQuantity(units))
                .build());
  }

  private static boolean isReplayed(GrpcTestClient process, String key)
      throws ExecutionException, InterruptedException {
    CallEnvelope repeat = envelope(key);
    var _ = sell(process, repeat, "Tux", 1).get();
    return repeat.replayed();
  }

  private static boolean isRefused(ListenableFuture<?> call) throws InterruptedException {
    try {
      call.get();
      return false;
    } catch (ExecutionException e) {
      return e.getCause() instanceof StatusRuntimeException;
    }
  }

  private List<Sale> sales() {
    return second
        .stub(CatalogServiceGrpc::newBlockingStub, DEADLINE)
        .listSales(
            ListSalesRequest.newBuilder().setSeries(Series.SERIES_STORE).setLimit(10).build())
        .getSalesList();
  }
}
