package toystore.torture;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import toystore.clients.ClientThreads;

/// Connections that misuse HTTP in one way. A connection that the store closes is opened again
/// after one second. Any thread.
final class HostileConnections extends ClientThreads {
  private static final String LIST = "GET /products?limit=200 HTTP/1.1\r\nHost: localhost\r\n\r\n";
  private static final int PIPELINED = 300;
  private static final int SMALL_BUFFER = 4_096;
  private static final Duration SECOND = Duration.ofSeconds(1);

  /// A kind of misuse.
  enum Misuse {
    /// Send a body at one byte per second.
    SLOW_BODIES(
        1_000, "POST /orders HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000\r\n\r\n{"),
    /// Send queries continuously without waiting for responses.
    PIPELINED_QUERIES(150, "GET /products/Tux HTTP/1.1\r\nHost: localhost\r\n\r\n"),
    /// The same with lists of 200 products.
    PIPELINED_LISTS(150, LIST),
    /// The same, and read the responses at 1 kB per second.
    SLOW_READERS(150, LIST),
    /// Send nothing.
    IDLE(4_200, ""),
    /// Send a request head at one byte per second. A reverse proxy must limit this.
    SLOW_HEADS(1_000, "GET /products/Tux HTTP/1.1\r\nHost: localhost\r\nX-Slow: ");

    final int connections;
    private final String sent;

    Misuse(int connections, String sent) {
      this.connections = connections;
      this.sent = sent;
    }
  }

  private final InetSocketAddress store;
  private final Misuse misuse;

  /// The number of open connections.
  final AtomicInteger open = new AtomicInteger();

  /// The number of connections that the store has closed.
  final AtomicInteger ended = new AtomicInteger();

  /// @param port of the frontend
  HostileConnections(int port, Misuse misuse) {
    this.store = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    this.misuse = misuse;
    start(misuse.connections, _ -> connectRepeatedly());
  }

  private void connectRepeatedly() {
    while (areRunning()) {
      try (var socket = new Socket()) {
        socket.setReceiveBufferSize(
            misuse == Misuse.SLOW_READERS ? SMALL_BUFFER : 16 * SMALL_BUFFER);
        socket.connect(store);
        open.incrementAndGet();
        try {
          misuse(socket);
        } finally {
          open.decrementAndGet();
        }
      } catch (IOException gone) {
        // closed by the store or by close()
      }
      ended.incrementAndGet();
      pause(SECOND);
    }
  }

  private void misuse(Socket socket) throws IOException {
    switch (misuse) {
      case SLOW_BODIES, SLOW_HEADS -> trickle(socket);
      case PIPELINED_QUERIES, PIPELINED_LISTS -> pipeline(socket, Duration.ZERO);
      case SLOW_READERS -> pipeline(socket, SECOND);
      case IDLE -> read(socket, Duration.ZERO);
    }
  }

  /// Sends one byte per second until the store responds or closes the connection.
  private void trickle(Socket socket) throws IOException {
    OutputStream out = socket.getOutputStream();
    out.write(misuse.sent.getBytes(ISO_8859_1));
    while (areRunning() && socket.getInputStream().available() == 0) {
      pause(SECOND);
      out.write('a');
    }
  }

  private void pipeline(Socket socket, Duration pause) throws IOException {
    byte[] requests = misuse.sent.repeat(PIPELINED).getBytes(ISO_8859_1);
    Thread.startVirtualThread(() -> send(socket, requests));
    read(socket, pause);
  }

  /// Sends until the reading thread has closed the socket.
  private void send(Socket socket, byte[] requests) {
    try {
      while (areRunning()) {
        socket.getOutputStream().write(requests);
      }
    } catch (IOException gone) {
      // the reading thread handles it
    }
  }

  private void read(Socket socket, Duration pause) throws IOException {
    InputStream in = socket.getInputStream();
    var bytes = new byte[pause.isZero() ? 16 * SMALL_BUFFER : 1_024];
    while (areRunning() && in.read(bytes) >= 0) {
      pause(pause);
    }
  }

  private static void pause(Duration pause) {
    if (!pause.isZero()) {
      LockSupport.parkNanos(pause.toNanos());
    }
  }
}
