package toystore.lab.load;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Changes the price of a random stock 20 times a second over gRPC, until it is closed. A late
/// change does not shift the times of later changes. Any thread.
public final class PriceUpdater implements AutoCloseable {
  /// Changes nothing.
  public static final PriceUpdater NONE = new PriceUpdater();

  private static final Duration INTERVAL = Duration.ofMillis(50);
  private static final Scenario UPDATE =
      new Scenario(
          Map.of(
              "update",
              new Scenario.Kind(
                  "",
                  "toystore.bazaar.v1.StockBazaar/Update",
                  "{\"name\":\"{stock}\",\"price\":{price}}",
                  new Scenario.Check(0, Map.of("/result", "1"), List.of(), null))),
          Map.of(
              "stock",
              List.of("GameStart", "FishCo", "BoarCo", "MenhirCo"),
              "price",
              IntStream.rangeClosed(1, 100).mapToObj(it -> it + ".25").toList()));

  private volatile boolean closed;
  private volatile @Nullable String fault;

  private PriceUpdater() {}

  /// @param catalog such as `grpc://127.0.0.1:9091`
  public static PriceUpdater start(URI catalog) {
    var updater = new PriceUpdater();
    Thread.ofPlatform().daemon().name("price-updater").start(() -> updater.run(catalog));
    return updater;
  }

  private void run(URI catalog) {
    var source = new CallSource(catalog, UPDATE, "update");
    var random = new SplittableRandom(1);
    try (var connection = new GrpcLoadConnection(catalog)) {
      for (long next = System.nanoTime(); !closed && fault == null; next += INTERVAL.toNanos()) {
        CallSource.Call call = source.next(0, random, false);
        fault = source.fault(call, connection.send(call));
        LockSupport.parkNanos(next + INTERVAL.toNanos() - System.nanoTime());
      }
    } catch (IOException e) {
      fault = e.toString();
    }
  }

  /// @throws IllegalStateException if a price could not be changed
  @Override
  public void close() {
    closed = true;
    String found = fault;
    if (found != null) {
      throw new IllegalStateException("a price could not be changed: " + found);
    }
  }
}
