package toystore.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import toystore.testkit.HttpTestClient;

/// Requests the frontend's liveness check four times per second during a load, in its own thread.
final class LivenessProbe implements AutoCloseable {
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  private final HttpTestClient http;
  private final Histogram nanos = new Histogram(3);
  private final Thread thread = new Thread(this::run, "operator");
  private volatile boolean running = true;
  private long failures;

  LivenessProbe(HttpTestClient http) {
    this.http = http;
    thread.start();
  }

  private void run() {
    while (running) {
      long begin = System.nanoTime();
      if (!http.isAlive()) {
        failures++;
      }
      nanos.recordValue(System.nanoTime() - begin);
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /// Stops the probe. Every request must have been answered; in the long form p90 must be below 500
  /// ms.
  void check(int customers, TrialRound round) throws InterruptedException {
    close();
    assertThat(failures)
        .as("requests to /health/liveness not answered with 200, %d clients", customers)
        .isZero();
    double p90 = nanos.getValueAtPercentile(90) / 1e6;
    if (!round.quick()) {
      assertThat(p90)
          .as("p90 latency of /health/liveness in ms, %d clients", customers)
          .isLessThan(500);
    }
  }

  @Override
  public void close() throws InterruptedException {
    running = false;
    thread.join();
  }
}
