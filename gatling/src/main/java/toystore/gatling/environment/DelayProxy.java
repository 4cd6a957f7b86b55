package toystore.gatling.environment;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/// A TCP relay with a given delay. It accepts connections, opens one to its destination for each,
/// and forwards all data in both directions, in order, half a round trip later. As on a real line,
/// data in transit is not delayed by data that follows.
///
/// The relay is in user space, because not every kernel can delay packets. A relayed connection
/// takes about 0.1 ms longer than a direct one, so connections without added delay also use a
/// relay.
final class DelayProxy implements AutoCloseable {
  private static final int CHUNK = 64 * 1024;
  private static final int UNDER_WAY = 1_000; // chunks per direction; beyond that the sender waits
  private static final int ROUND_TRIPS = 21;

  private final ServerSocket serverSocket;
  private final InetSocketAddress to;
  private volatile long oneWayNanos;

  /// Received data, and when to forward it.
  private record Chunk(byte[] bytes, long dueNanos) {}

  private static final byte[] END = new byte[0];

  private DelayProxy(ServerSocket serverSocket, InetSocketAddress to) {
    this.serverSocket = serverSocket;
    this.to = to;
  }

  /// @param from address to listen on, on a free port
  static DelayProxy open(InetAddress from, InetSocketAddress to) throws IOException {
    var link = new DelayProxy(new ServerSocket(0, 1_000, from), to);
    Thread.ofPlatform().daemon().name("link").start(link::serve);
    return link;
  }

  InetSocketAddress address() {
    return (InetSocketAddress) serverSocket.getLocalSocketAddress();
  }

  void setRoundTrip(Duration added) {
    oneWayNanos = added.toNanos() / 2;
  }

  private void serve() {
    while (!serverSocket.isClosed()) {
      try {
        var near = serverSocket.accept();
        Thread.ofPlatform().daemon().name("link to").start(() -> connect(near));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void connect(Socket near) {
    try {
      var far = new Socket();
      far.connect(to, 5_000);
      near.setTcpNoDelay(true);
      far.setTcpNoDelay(true);
      pipe(near, far);
      pipe(far, near);
    } catch (IOException noWay) {
      close(near);
    }
  }

  private void pipe(Socket from, Socket into) {
    var underWay = new ArrayBlockingQueue<Chunk>(UNDER_WAY);
    Thread.ofPlatform().daemon().name("link in").start(() -> receive(from, underWay));
    Thread.ofPlatform().daemon().name("link out").start(() -> send(underWay, into));
  }

  private void receive(Socket from, BlockingQueue<Chunk> underWay) {
    try {
      InputStream in = from.getInputStream();
      var buffer = new byte[CHUNK];
      for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
        underWay.put(new Chunk(Arrays.copyOf(buffer, length), due()));
      }
      underWay.put(new Chunk(END, due()));
    } catch (IOException gone) {
      underWay.offer(new Chunk(END, due()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private long due() {
    return System.nanoTime() + oneWayNanos;
  }

  private static void send(BlockingQueue<Chunk> underWay, Socket into) {
    try {
      OutputStream out = into.getOutputStream();
      for (Chunk next = underWay.take(); next.bytes != END; next = underWay.take()) {
        for (long left = next.dueNanos - System.nanoTime(); left > 0; ) {
          LockSupport.parkNanos(left);
          left = next.dueNanos - System.nanoTime();
        }
        out.write(next.bytes);
      }
    } catch (IOException gone) {
      // the connection is closed below
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    close(into);
  }

  /// Measures the median round trip of one byte through a link with this delay to an echo server.
  static Duration measureRoundTrip(DelayProxy like) {
    try (var echo = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        var link = open(InetAddress.getLoopbackAddress(), local(echo))) {
      link.oneWayNanos = like.oneWayNanos;
      Thread.ofPlatform().daemon().name("echo").start(() -> echo(echo));
      try (var socket = new Socket()) {
        socket.setTcpNoDelay(true);
        socket.connect(link.address());
        long[] nanos =
            LongStream.generate(() -> pingNanos(socket)).limit(ROUND_TRIPS).sorted().toArray();
        return Duration.ofNanos(nanos[ROUND_TRIPS / 2]);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot measure the round trip through the link", e);
    }
  }

  private static InetSocketAddress local(ServerSocket serverSocket) {
    return (InetSocketAddress) serverSocket.getLocalSocketAddress();
  }

  private static void echo(ServerSocket serverSocket) {
    try (var socket = serverSocket.accept()) {
      socket.setTcpNoDelay(true);
      socket.getInputStream().transferTo(socket.getOutputStream());
    } catch (IOException gone) {
      // the measuring side has disconnected
    }
  }

  private static long pingNanos(Socket socket) {
    try {
      long from = System.nanoTime();
      socket.getOutputStream().write(1);
      if (socket.getInputStream().read() != 1) {
        throw new IOException("the echo connection closed");
      }
      return System.nanoTime() - from;
    } catch (IOException e) {
      throw new IllegalStateException("no echo received through the link", e);
    }
  }

  private static void close(@Nullable AutoCloseable it) {
    try {
      if (it != null) {
        it.close();
      }
    } catch (Exception closed) {
      // already closed
    }
  }

  @Override
  public void close() {
    close(serverSocket);
  }
}
