package toystore.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.SortedMap;
import java.util.concurrent.ExecutionException;
import toystore.catalog.v1.GetProductRequest;
import toystore.catalog.v1.ListSalesRequest;
import toystore.catalog.v1.Sale;
import toystore.catalog.v1.SellRequest;
import toystore.catalog.v1.SellResponse;
import toystore.catalog.v1.Series;
import toystore.common.v1.IdempotencyKey;
import toystore.common.v1.Line;
import toystore.common.v1.SaleKind;
import toystore.platform.rpc.RpcError;
import toystore.testkit.Conditions;
import toystore.testkit.GrpcTestClient;
import toystore.testkit.RepeatingBuyers;

/// [RepeatingBuyers] of a catalog without other services, over gRPC, for many commits per second.
final class CatalogBuyers implements AutoCloseable {
  private static final String SCOPE = "torture";
  private static final int PAGE = 1_000;
  private static final Duration PAUSE_AFTER_ERROR = Duration.ofMillis(20);
  private static final Duration DEADLINE = Duration.ofSeconds(2);
  private static final Duration LONG_DEADLINE = Duration.ofSeconds(30);

  private final GrpcTestClient client;
  private final RepeatingBuyers buyers;

  /// @param folder the folder of their journal
  /// @param port the catalog's gRPC port
  CatalogBuyers(Path folder, int port) throws IOException {
    client = new GrpcTestClient(port);
    buyers = new RepeatingBuyers(folder, Duration.ZERO, PAUSE_AFTER_ERROR, this::buy);
  }

  /// Starts clients that buy until they are stopped.
  CatalogBuyers start(int count) {
    buyers.start(count);
    return this;
  }

  private OptionalLong buy(int buyer, String key, int attempt) {
    try {
      return OptionalLong.of(buy(key, DEADLINE).getSale().getNumber());
    } catch (StatusRuntimeException e) {
      assertThat(RpcError.of(e).isDecided()).as("the catalog refused a buy: %s", e).isFalse();
      client.connectNow();
      return OptionalLong.empty();
    }
  }

  /// Buys one unit.
  SellResponse buy(String key, Duration deadline) {
    return client
        .catalog(deadline)
        .sell(
            SellRequest.newBuilder()
                .setKey(
                    IdempotencyKey.newBuilder().setScope(SCOPE).setValue(key).setClientMade(true))
                .setSeries(Series.SERIES_STORE)
                .setKind(SaleKind.SALE_KIND_ORDER)
                .addLines(Line.newBuilder().setName("Tux").setQuantity(1))
                .build());
  }

  /// The number of buys acknowledged so far.
  long bought() {
    return buyers.acknowledged();
  }

  /// Waits until the catalog responds.
  ///
  /// @throws AssertionError if its process has exited
  void awaitAnswers(Process catalog) {
    Conditions.await(() -> {
      assertThat(catalog.isAlive()).as("catalog starts with the files left by the fault").isTrue();
      try {
        stock();
        return true;
      } catch (StatusRuntimeException away) {
        client.connectNow();
        return false;
      }
    });
  }

  /// The stock of the product.
  long stock() {
    var request = GetProductRequest.newBuilder().setName("Tux").build();
    return client.catalog(DEADLINE).getProduct(request).getProduct().getQuantity();
  }

  /// Stops the clients after their current buy.
  void stop() throws ExecutionException, InterruptedException {
    buyers.stop();
  }

  /// Checks that the catalog has every acknowledged sale with its number and key, no key twice and
  /// no gap in the numbers, and that its audit finds nothing. Clients may continue to buy
  /// meanwhile.
  void check(Random random) throws IOException {
    SortedMap<Long, String> acknowledged = buyers.sales();
    Map<String, Long> numbers = numbers();
    acknowledged.forEach((number, key) ->
        assertThat(numbers)
            .as("no sale lost of %d acknowledged ones", acknowledged.size())
            .containsEntry(SCOPE + "\n" + key, number));
    if (!acknowledged.isEmpty()) {
      long number = List.copyOf(acknowledged.keySet()).get(random.nextInt(acknowledged.size()));
      SellResponse again = repeat(acknowledged.getOrDefault(number, ""));
      assertThat(again.getSale().getNumber()).isEqualTo(number);
      assertThat(again.getReplayed()).isTrue();
    }
    assertThat(client.faults()).isEmpty();
  }

  /// Retries a buy until it is answered.
  private SellResponse repeat(String key) {
    return Conditions.patiently()
        .ignoreExceptionsMatching(e ->
            e instanceof StatusRuntimeException away
                && away.getStatus().getCode() == Status.Code.UNAVAILABLE)
        .until(() -> buy(key, LONG_DEADLINE), _ -> true);
  }

  /// The numbers of all sales by their keys.
  private Map<String, Long> numbers() {
    Map<String, Long> numbers = new HashMap<>();
    var request = ListSalesRequest.newBuilder().setSeries(Series.SERIES_STORE).setLimit(PAGE);
    while (true) {
      request.setFrom(numbers.size());
      List<Sale> page = client.catalog(LONG_DEADLINE).listSales(request.build()).getSalesList();
      if (page.isEmpty()) {
        return numbers;
      }
      for (Sale sale : page) {
        assertThat(sale.getNumber()).as("sale numbers have no gap").isEqualTo(numbers.size());
        assertThat(numbers.put(sale.getKey(), sale.getNumber()))
            .as("key of sale %d is used once", sale.getNumber())
            .isNull();
      }
    }
  }

  @Override
  public void close() {
    buyers.close();
    client.close();
  }
}
