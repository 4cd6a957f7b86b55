package toystore.torture.network;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/// A TCP link from a port of its own to another, which does a [Trouble] to some of what passes.
/// What is drawn for a connection follows from the seed and the connection's number. Any thread.
final class FaultyLink implements AutoCloseable {
  private static final int CHUNK = 16 * 1024;
  private static final int MAX_DELAY_MILLIS = 60;
  private static final int MAX_HOLD_MILLIS = 1_400;
  private static final int MAX_LATE_MILLIS = 700;

  /// How long the far end of a broken connection is kept open for what arrives late.
  private static final int LINGER_MILLIS = 1_200;

  private final ServerSocket door;
  private final int to;
  private final double share;
  private final SplittableRandom random;
  private final Consumer<Trouble> counter;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicInteger held = new AtomicInteger();
  private volatile boolean raging;

  /// @param share how much of what passes meets a trouble: 0 to 1
  FaultyLink(
      ServerSocket door, int to, double share, SplittableRandom random, Consumer<Trouble> counter) {
    this.door = door;
    this.to = to;
    this.share = share;
    this.random = random;
    this.counter = counter;
    Thread.ofVirtual().start(this::accept);
  }

  void rage() {
    raging = true;
  }

  void calm() {
    raging = false;
  }

  /// Whether nothing is on its way that was held up.
  boolean isIdle() {
    return held.get() == 0;
  }

  private void accept() {
    while (!door.isClosed()) {
      try {
        Socket asker = door.accept();
        SplittableRandom there = random.split();
        SplittableRandom back = random.split();
        Thread.ofVirtual().start(() -> connect(asker, there, back));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void connect(Socket asker, SplittableRandom there, SplittableRandom back) {
    open.add(asker);
    try {
      var peer = new Socket(InetAddress.getLoopbackAddress(), to);
      open.add(peer);
      asker.setTcpNoDelay(true);
      peer.setTcpNoDelay(true);
      Thread.ofVirtual().start(() -> pump(new Way(peer, asker, back, false)));
      pump(new Way(asker, peer, there, true));
    } catch (IOException away) {
      shut(asker, true);
    }
  }

  /// One of the two ways of a connection.
  ///
  /// @param forth whether it leads away from whoever asked
  private record Way(Socket from, Socket to, SplittableRandom random, boolean forth) {}

  private void pump(Way way) {
    byte[] chunk = new byte[CHUNK];
    try {
      int length;
      while ((length = way.from.getInputStream().read(chunk)) >= 0) {
        if (!pass(way, chunk, length)) {
          return;
        }
      }
      way.to.shutdownOutput();
      if (!way.forth) {
        shut(way.from, false);
        shut(way.to, false);
      }
    } catch (IOException broken) {
      shut(way.from, true);
      shut(way.to, true);
    }
  }

  /// @return whether the connection lives on
  private boolean pass(Way way, byte[] chunk, int length) throws IOException {
    Trouble trouble = raging ? Trouble.draw(way.random, share) : Trouble.NONE;
    if (trouble == Trouble.LATE && !way.forth) {
      trouble = Trouble.CUT_BEFORE;
    }
    counter.accept(trouble);
    switch (trouble) {
      case NONE -> write(way, chunk, length);
      case DELAY -> {
        hold(way.random.nextInt(1, MAX_DELAY_MILLIS));
        write(way, chunk, length);
      }
      case HOLD -> {
        hold(way.random.nextInt(MAX_DELAY_MILLIS, MAX_HOLD_MILLIS));
        write(way, chunk, length);
      }
      case CUT_BEFORE -> cut(way);
      case CUT_INSIDE -> {
        write(way, chunk, way.random.nextInt(length));
        cut(way);
      }
      case CUT_AFTER -> {
        write(way, chunk, length);
        cut(way);
      }
      case LATE -> {
        byte[] late = Arrays.copyOf(chunk, length);
        shut(way.from, way.random.nextBoolean());
        hold(way.random.nextInt(1, MAX_LATE_MILLIS));
        write(way, late, length);
        hold(LINGER_MILLIS);
        shut(way.to, false);
      }
    }
    return switch (trouble) {
      case NONE, DELAY, HOLD -> true;
      case CUT_BEFORE, CUT_INSIDE, CUT_AFTER, LATE -> false;
    };
  }

  private static void write(Way way, byte[] chunk, int length) throws IOException {
    way.to.getOutputStream().write(chunk, 0, length);
  }

  private void hold(int millis) {
    held.incrementAndGet();
    try {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    } finally {
      held.decrementAndGet();
    }
  }

  private void cut(Way way) {
    boolean hard = way.random.nextBoolean();
    shut(way.from, hard);
    shut(way.to, hard);
  }

  /// @param hard by a reset, which also takes away what the other side has not read yet
  private void shut(Socket socket, boolean hard) {
    open.remove(socket);
    try {
      if (hard && !socket.isClosed()) {
        socket.setSoLinger(true, 0);
      }
      socket.close();
    } catch (IOException closed) {
      // it is what was wanted
    }
  }

  @Override
  public void close() throws IOException {
    door.close();
    open.forEach(it -> shut(it, true));
  }
}
