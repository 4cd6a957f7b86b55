package toystore.clients;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/// A TCP proxy on its own port. While faults are on, it applies a [Fault] to a share of the chunks
/// that it forwards. It also refuses some connections and delays the close of others. The faults of
/// a connection depend only on the seed and the number of the connection. It can also cut the
/// server off. A subclass may forward in another way. Any thread.
public class FaultProxy implements AutoCloseable {
  private static final int BACKLOG = 1_000;
  private static final int CHUNK = 16 * 1024;
  private static final int SLICE = 40;
  private static final int MAX_SLICES = 50;
  private static final int SLICE_PAUSE_MILLIS = 2;
  private static final int MAX_DELAY_MILLIS = 60;
  private static final int MAX_HOLD_MILLIS = 1_400;
  private static final int MAX_SILENCE_MILLIS = 400;
  private static final int MAX_CLOSE_MILLIS = 500;
  private static final int MAX_LATE_MILLIS = 700;
  private static final int SILENT_POLL_MILLIS = 5;

  /// How long the connection to the server stays open after bytes were delivered late.
  private static final int LINGER_MILLIS = 1_200;

  private final ServerSocket server =
      new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
  private final int to;
  private final double share;
  private final SplittableRandom random;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final Map<Fault, LongAdder> counts = new ConcurrentHashMap<>();
  private final AtomicInteger held = new AtomicInteger();
  private volatile boolean faulty;
  private volatile boolean silent;
  private volatile boolean refusing;

  /// @param to the target port on this machine
  /// @param share the share of chunks with a fault: 0 to 1
  public FaultProxy(int to, double share, SplittableRandom random) throws IOException {
    this.to = to;
    this.share = share;
    this.random = random;
    start(this::accept);
  }

  /// Starts a thread.
  protected void start(Runnable work) {
    Thread.ofVirtual().start(work);
  }

  public int port() {
    return server.getLocalPort();
  }

  /// Starts injecting faults.
  public void injectFaults() {
    faulty = true;
  }

  /// Stops injecting faults; bytes that are being held back are still delivered.
  public void heal() {
    faulty = false;
    silent = false;
    refusing = false;
  }

  /// Forwards nothing until [#heal] and closes no connection, like a firewall that drops packets.
  public void silence() {
    silent = true;
  }

  /// Resets all connections, and new ones until [#heal].
  public void refuse() {
    refusing = true;
    open.forEach(it -> close(it, true));
  }

  /// Returns whether no bytes are being held back.
  public boolean isIdle() {
    return held.get() == 0;
  }

  /// Returns the number of chunks to which this fault was applied.
  public long count(Fault fault) {
    return counts.getOrDefault(fault, new LongAdder()).sum();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket client = server.accept();
        SplittableRandom forward = random.split();
        SplittableRandom backward = random.split();
        start(() -> connect(client, forward, backward));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void connect(Socket client, SplittableRandom forward, SplittableRandom backward) {
    open.add(client);
    holdWhileSilent();
    if (refusing || (faulty && forward.nextDouble() < share / 4)) {
      close(client, true);
      return;
    }
    try {
      var peer = new Socket(InetAddress.getLoopbackAddress(), to);
      open.add(peer);
      if (refusing) { // since then
        close(client, true);
        close(peer, true);
        return;
      }
      client.setTcpNoDelay(true);
      peer.setTcpNoDelay(true);
      start(() -> pump(new Direction(peer, client, backward, false)));
      pump(new Direction(client, peer, forward, true));
    } catch (IOException away) {
      close(client, true);
    }
  }

  /// One direction of a connection.
  ///
  /// @param toServer whether the bytes go from the client to the server
  protected record Direction(Socket from, Socket to, SplittableRandom random, boolean toServer) {
    void write(byte[] bytes, int from, int length) throws IOException {
      to.getOutputStream().write(bytes, from, length);
    }
  }

  /// Forwards until the end of the connection.
  protected void pump(Direction way) {
    byte[] chunk = new byte[CHUNK];
    try {
      int length;
      while ((length = way.from.getInputStream().read(chunk)) >= 0) {
        holdWhileSilent();
        if (!pass(way, chunk, length)) {
          return;
        }
      }
      holdWhileSilent();
      if (faulty && way.random.nextDouble() < share) {
        hold(way.random.nextInt(1, MAX_CLOSE_MILLIS));
      }
      end(way);
    } catch (IOException broken) {
      close(way.from, true);
      close(way.to, true);
    }
  }

  /// Forwards the end of the connection.
  protected void end(Direction way) throws IOException {
    way.to.shutdownOutput();
    if (!way.toServer) {
      close(way.from, false);
      close(way.to, false);
    }
  }

  /// @return whether the connection stays open
  private boolean pass(Direction way, byte[] chunk, int length) throws IOException {
    Fault fault = faulty ? Fault.draw(way.random, share) : Fault.NONE;
    if (fault == Fault.LATE && !way.toServer) {
      fault = Fault.CUT_BEFORE;
    }
    counts.computeIfAbsent(fault, _ -> new LongAdder()).increment();
    switch (fault) {
      case NONE -> way.write(chunk, 0, length);
      case DELAY -> {
        hold(way.random.nextInt(1, MAX_DELAY_MILLIS));
        way.write(chunk, 0, length);
      }
      case HOLD -> {
        hold(way.random.nextInt(MAX_DELAY_MILLIS, MAX_HOLD_MILLIS));
        way.write(chunk, 0, length);
      }
      case SLICE -> {
        int slice = Math.max(SLICE, length / MAX_SLICES);
        for (int at = 0; at < length; at += slice) {
          way.write(chunk, at, Math.min(slice, length - at));
          hold(SLICE_PAUSE_MILLIS);
        }
      }
      case CUT_BEFORE -> {}
      case CUT_INSIDE -> way.write(chunk, 0, way.random.nextInt(length));
      case CUT_AFTER -> way.write(chunk, 0, length);
      case SILENCE -> hold(way.random.nextInt(1, MAX_SILENCE_MILLIS));
      case LATE -> {
        close(way.from, way.random.nextBoolean());
        hold(way.random.nextInt(1, MAX_LATE_MILLIS));
        way.write(chunk, 0, length);
        hold(LINGER_MILLIS);
        close(way.to, false);
      }
    }
    return switch (fault) {
      case NONE, DELAY, HOLD, SLICE -> true;
      case CUT_BEFORE, CUT_INSIDE, CUT_AFTER, SILENCE -> {
        boolean reset = way.random.nextBoolean();
        close(way.from, reset);
        close(way.to, reset);
        yield false;
      }
      case LATE -> false;
    };
  }

  private void holdWhileSilent() {
    while (silent) {
      hold(SILENT_POLL_MILLIS);
    }
  }

  private void hold(int millis) {
    held.incrementAndGet();
    try {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    } finally {
      held.decrementAndGet();
    }
  }

  /// @param reset whether to send RST, which discards data that the peer has not read
  private void close(Socket socket, boolean reset) {
    open.remove(socket);
    try {
      if (reset && !socket.isClosed()) {
        socket.setSoLinger(true, 0);
      }
      socket.close();
    } catch (IOException closed) {
      // the socket is closed
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    open.forEach(it -> close(it, true));
  }
}
