package toystore.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import toystore.catalog.v1.AuditRequest;
import toystore.catalog.v1.CatalogServiceGrpc;
import toystore.catalog.v1.CatalogServiceGrpc.CatalogServiceBlockingStub;
import toystore.catalog.v1.GetProductRequest;
import toystore.catalog.v1.ListSalesRequest;
import toystore.catalog.v1.SellRequest;
import toystore.catalog.v1.SellResponse;
import toystore.catalog.v1.Series;
import toystore.common.v1.AuditCheck;
import toystore.common.v1.IdempotencyKey;
import toystore.common.v1.Line;
import toystore.common.v1.SaleKind;
import toystore.rpc.Problem;

/// Customers of a catalog alone, over gRPC: many commits a second, with nothing between them and
/// the disk. Each repeats a buy with its key until it is acknowledged, and writes that into a
/// [Journal] before it counts.
final class Buyers implements AutoCloseable {
  private static final String SCOPE = "torture";
  private static final int PAGE = 1_000;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final Duration DEADLINE = Duration.ofSeconds(2);

  private final ManagedChannel channel;
  private final Journal journal;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Future<?>> buyers = new ArrayList<>();
  private final AtomicLong acknowledged = new AtomicLong();
  private volatile boolean buying;

  /// @param folder where their journal is kept
  /// @param port of the catalog
  Buyers(Path folder, int port) throws IOException {
    journal = new Journal(folder);
    channel = ManagedChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
  }

  /// Lets some buy until they are told to leave.
  Buyers come(int count) {
    buying = true;
    for (int i = 0; i < count; i++) {
      buyers.add(
          threads.submit(() -> {
            while (buying) {
              buyUntilAcknowledged(UUID.randomUUID().toString());
            }
          }));
    }
    return this;
  }

  private void buyUntilAcknowledged(String key) {
    while (buying) {
      try {
        SellResponse answer = buy(key, DEADLINE);
        journal.write(answer.getSale().getNumber() + " " + key);
        acknowledged.incrementAndGet();
        return;
      } catch (StatusRuntimeException e) {
        assertThat(Problem.of(e).isDecided()).as("refused: %s", e).isFalse();
        channel.resetConnectBackoff();
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  /// Buys one.
  SellResponse buy(String key, Duration deadline) {
    return catalog(deadline)
        .sell(
            SellRequest.newBuilder()
                .setKey(
                    IdempotencyKey.newBuilder().setScope(SCOPE).setValue(key).setClientMade(true))
                .setSeries(Series.SERIES_STORE)
                .setKind(SaleKind.SALE_KIND_ORDER)
                .addLines(Line.newBuilder().setName("Tux").setQuantity(1))
                .build());
  }

  /// How many buys were acknowledged so far.
  long bought() {
    return acknowledged.get();
  }

  /// Whether the catalog answers.
  boolean isAnswered() {
    try {
      stock();
      return true;
    } catch (StatusRuntimeException away) {
      channel.resetConnectBackoff();
      return false;
    }
  }

  /// How many are in stock.
  long stock() {
    return catalog(DEADLINE)
        .getProduct(GetProductRequest.newBuilder().setName("Tux").build())
        .getProduct()
        .getQuantity();
  }

  CatalogServiceBlockingStub catalog(Duration deadline) {
    return CatalogServiceGrpc.newBlockingStub(channel)
        .withDeadlineAfter(deadline.toMillis(), TimeUnit.MILLISECONDS);
  }

  /// Sends them home; what is under way is given up.
  void leave() throws ExecutionException, InterruptedException {
    buying = false;
    for (Future<?> buyer : buyers) {
      buyer.get();
    }
    buyers.clear();
  }

  /// Whether the catalog holds what was acknowledged so far: each sale by its number and key, no
  /// key twice, no number missing; and its own audit finds nothing. They may go on buying.
  void check(Random random) throws IOException {
    List<String> lines = journal.lines();
    List<String> keys = sales();
    Map<String, Integer> numbers = new HashMap<>();
    for (int number = 0; number < keys.size(); number++) {
      assertThat(numbers.put(keys.get(number), number)).as("sold twice: " + number).isNull();
    }
    for (String line : lines) {
      String[] words = line.split(" ");
      assertThat(numbers)
          .as("acknowledged, and lost of %d", lines.size())
          .containsEntry(SCOPE + "\n" + words[1], Integer.valueOf(words[0]));
    }
    if (!lines.isEmpty()) {
      String[] words = lines.get(random.nextInt(lines.size())).split(" ");
      SellResponse again = buy(words[1], Duration.ofSeconds(10));
      assertThat(again.getSale().getNumber()).isEqualTo(Long.parseLong(words[0]));
      assertThat(again.getReplayed()).isTrue();
    }
    assertThat(faults()).isEmpty();
  }

  /// The keys of all sales, in order of their numbers.
  private List<String> sales() {
    List<String> keys = new ArrayList<>();
    while (true) {
      var request =
          ListSalesRequest.newBuilder()
              .setSeries(Series.SERIES_STORE)
              .setFrom(keys.size())
              .setLimit(PAGE)
              .build();
      var page = catalog(Duration.ofSeconds(30)).listSales(request).getSalesList();
      if (page.isEmpty()) {
        return keys;
      }
      page.forEach(sale -> {
        assertThat(sale.getNumber()).as("a number is missing").isEqualTo(keys.size());
        keys.add(sale.getKey());
      });
    }
  }

  /// What the catalog's full audit finds wrong.
  List<String> faults() {
    return catalog(Duration.ofSeconds(30))
        .audit(AuditRequest.newBuilder().setFull(true).build())
        .getChecksList()
        .stream()
        .filter(check -> !check.getOk())
        .map(AuditCheck::getDetail)
        .toList();
  }

  @Override
  public void close() throws IOException {
    buying = false;
    threads.shutdownNow();
    channel.shutdownNow();
    journal.close();
  }
}
