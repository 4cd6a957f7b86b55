package toystore.lab.run;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

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
final class DelayRelay implements AutoCloseable {
  /// The round trip at distance 0.
  static final Duration BASE = Duration.ofMillis(1);

  private static final int CHUNK = 64 * 1024;
  private static final int IN_TRANSIT = 1_000; // chunks per direction; beyond that the sender waits
  private static final int CONNECT_MILLIS = 5_000;
  // a sleep ends up to 0.2 ms late, and a core that has just slept longer wakes the next thread
  // later
  private static final long SPIN_NANOS = 400_000;
  private static final byte[] END = new byte[0];

  private final ServerSocket server;
  private final InetSocketAddress to;
  private volatile long oneWayNanos = BASE.toNanos() / 2;

  // platform threads, whose sleep is more exact than that of virtual threads; one ends with an
  // exception when its connection does
  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofPlatform().daemon().name("relay").factory());

  /// Received data, and when to send it.
  private record Chunk(byte[] bytes, long dueNanos) {}

  private DelayRelay(ServerSocket server, InetSocketAddress to) {
    this.server = server;
    this.to = to;
  }

  /// Opens a relay on a free port of the loopback address. Its destination need not listen yet.
  static DelayRelay to(int port) throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    var relay =
        new DelayRelay(new ServerSocket(0, 1_000, loopback), new InetSocketAddress(loopback, port));
    var _ = relay.threads.submit(relay::accept);
    return relay;
  }

  int port() {
    return server.getLocalPort();
  }

  URI url() {
    return URI.create("http://127.0.0.1:" + port());
  }

  /// @param added to the round trip
  void setDistance(Duration added) {
    oneWayNanos = BASE.plus(added).toNanos() / 2;
  }

  private Void accept() throws IOException {
    while (true) {
      Socket near = server.accept();
      var _ = threads.submit(() -> connect(near));
    }
  }

  private @Nullable Void connect(Socket near) throws IOException {
    var far = new Socket();
    try {
      far.connect(to, CONNECT_MILLIS);
      near.setTcpNoDelay(true);
      far.setTcpNoDelay(true);
    } catch (IOException e) {
      near.close();
      throw e;
    }
    forward(near, far);
    forward(far, near);
    return null;
  }

  private void forward(Socket from, Socket into) {
    var inTransit = new ArrayBlockingQueue<Chunk>(IN_TRANSIT);
    var _ = threads.submit(() -> receive(from, inTransit));
    var _ = threads.submit(() -> send(inTransit, into));
  }

  private @Nullable Void receive(Socket from, BlockingQueue<Chunk> inTransit)
      throws InterruptedException {
    try {
      InputStream in = from.getInputStream();
      var buffer = new byte[CHUNK];
      for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
        long due = System.nanoTime() + oneWayNanos;
        inTransit.put(new Chunk(Arrays.copyOf(buffer, length), due));
      }
    } catch (IOException closed) {
      // its end is forwarded
    }
    inTransit.put(new Chunk(END, System.nanoTime() + oneWayNanos));
    return null;
  }

  private static @Nullable Void send(BlockingQueue<Chunk> inTransit, Socket into)
      throws IOException, InterruptedException {
    try (into) {
      OutputStream out = into.getOutputStream();
      for (Chunk next = inTransit.take(); next.bytes != END; next = inTransit.take()) {
        waitUntil(next.dueNanos);
        out.write(next.bytes);
      }
    }
    return null;
  }

  private static void waitUntil(long time) {
    for (long left = time - System.nanoTime(); left > 0; left = time - System.nanoTime()) {
      if (left > SPIN_NANOS) {
        LockSupport.parkNanos(left - SPIN_NANOS);
      } else {
        Thread.onSpinWait();
      }
    }
  }

  /// Accepts no further connections.
  @Override
  public void close() throws IOException {
    server.close();
  }
}
