package toystore.bazaarlab;

import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import toystore.bazaar.v1.StockBazaarGrpc;
import toystore.bazaar.v1.UpdateRequest;
import toystore.gatling.environment.ShippedStocks;

/// Changes prices of random stocks over its own connection, 50 times a second, until it is closed.
/// A late change does not shift the times of later changes.
final class GrpcPriceUpdater implements AutoCloseable {
  private static final Duration INTERVAL = Duration.ofMillis(20);
  private static final Duration DEADLINE = Duration.ofSeconds(10);
  private static final int DONE = 1;

  private final ManagedChannel channel;
  private final Random random;
  private final Thread thread;
  private final long beganNanos = System.nanoTime();
  private volatile boolean closed;
  private volatile @Nullable RuntimeException failure;
  private volatile int done;

  GrpcPriceUpdater(int port, Random random) {
    this.channel = GrpcCaller.channel(port);
    this.random = random;
    this.thread = Thread.ofPlatform().name("updater").start(this::changePrices);
  }

  private void changePrices() {
    var bazaar = StockBazaarGrpc.newBlockingStub(channel);
    try {
      for (int i = 0; !closed; i++) {
        var request =
            UpdateRequest.newBuilder()
                .setName(ShippedStocks.any(random))
                .setPrice(ShippedStocks.anyPrice(random) / 100.0)
                .build();
        int result = bazaar.withDeadlineAfter(DEADLINE).update(request).getResult();
        if (result != DONE) {
          throw new WrongResponseException("Update " + request, "result " + DONE, result);
        }
        done = i + 1;
        long next = beganNanos + (i + 1) * INTERVAL.toNanos();
        for (long early = next - System.nanoTime();
            early > 0 && !closed;
            early = next - System.nanoTime()) {
          LockSupport.parkNanos(early);
        }
      }
    } catch (WrongResponseException | StatusRuntimeException wrong) {
      failure = wrong;
    }
  }

  /// Mean number of changes per second so far.
  double perSecond() {
    return done / ((System.nanoTime() - beganNanos) / 1e9);
  }

  /// @throws WrongResponseException if a change got a wrong response
  @Override
  public void close() throws InterruptedException {
    closed = true;
    LockSupport.unpark(thread);
    thread.join();
    channel.shutdownNow();
    RuntimeException wrong = failure;
    if (wrong != null) {
      throw wrong instanceof WrongResponseException
          ? wrong
          : new WrongResponseException("Update", "a response", wrong);
    }
  }
}
