package toystore.lab.run;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import toystore.clients.FaultProxy;
import toystore.clients.load.OpenLoop;

/// A TCP relay that adds a known round trip. It forwards what it receives, in order, at exactly the
/// time of receipt plus half of the round trip, so that its own work adds nothing:
///
/// ```
/// received at t ── queued ── sleeps until shortly before ── spins ── sent at t + BASE/2 + added/2
/// ```
///
/// Without added delay it still holds everything for half of [#BASE], which is longer than the
/// hand-over between its threads takes. So all distances have the same cost, which cancels in
/// slopes over the distance. It is in user space, because not every kernel can delay packets. Any
/// thread.
final class DelayRelay extends FaultProxy {
  /// The round trip at distance 0.
  static final Duration BASE = Duration.ofMillis(1);

  private static final int CHUNK = 64 * 1024;
  private static final int IN_TRANSIT = 1_000; // chunks per direction; beyond that the sender waits

  // a sleep ends up to 0.2 ms late, and a core that has just slept longer wakes the next thread
  // later
  private static final long SPIN_NANOS = 400_000;
  private static final byte[] END = new byte[0];

  private volatile long oneWayNanos = BASE.toNanos() / 2;

  /// Received data, and when to send it.
  private record Chunk(byte[] bytes, long dueNanos) {}

  /// @param to port of the destination, which need not listen yet
  DelayRelay(int to) throws IOException {
    super(to, 0, new SplittableRandom());
  }

  URI url() {
    return URI.create("http://127.0.0.1:" + port());
  }

  /// @param added to the round trip
  void setDistance(Duration added) {
    oneWayNanos = BASE.plus(added).toNanos() / 2;
  }

  /// A platform thread, whose sleep is more exact than that of a virtual one.
  @Override
  protected void start(Runnable work) {
    Thread.ofPlatform().daemon().name("relay").start(work);
  }

  @Override
  protected void pump(Direction way) {
    var inTransit = new ArrayBlockingQueue<Chunk>(IN_TRANSIT);
    start(() -> send(inTransit, way));
    try {
      try {
        InputStream in = way.from().getInputStream();
        var buffer = new byte[CHUNK];
        for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
          long due = System.nanoTime() + oneWayNanos;
          inTransit.put(new Chunk(Arrays.copyOf(buffer, length), due));
        }
      } catch (IOException closed) {
        // its end is forwarded
      }
      inTransit.put(new Chunk(END, System.nanoTime() + oneWayNanos));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void send(BlockingQueue<Chunk> inTransit, Direction way) {
    try {
      OutputStream out = way.to().getOutputStream();
      for (Chunk next = inTransit.take(); next.bytes != END; next = inTransit.take()) {
        OpenLoop.waitUntil(next.dueNanos, SPIN_NANOS);
        out.write(next.bytes);
      }
      end(way);
    } catch (IOException gone) {
      // the other direction ends, too
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
