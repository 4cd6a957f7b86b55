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
final class HostileConnections implements AutoCloseable {
  private static final String QUERY = "GET /products/Tux HTTP/1.1\r\nHost: localhost\r\n\r\n";
  private static final String LIST = "GET /products?limit=200 HTTP/1.1\r\nHost: localhost\r\n\r\n";
  private static final int PIPELINED = 300;
  private static final int SMALL_BUFFER = 4_096;
  private static final Duration SECOND = Duration.ofSeconds(1);

  /// A kind of misuse.
  enum Misuse {
    /// Send a body at one byte per second.
    SLOW_BODIES(1_000),
    /// Send queries continuously without waiting for responses.
    PIPELINED_QUERIES(150),
    /// The same with lists of 200 products.
    PIPELINED_LISTS(150),
    /// The same, and read the responses at 1 kB per second.
    SLOW_READERS(150),
    /// Send nothing.
    IDLE(4_200),
    /// Send a request head at one byte per second. A reverse proxy must limit this.
    SLOW_HEADS(1_000);

    final int connections;

    Misuse(int connections) {
      this.connections = connections;
    }
  }

  private final InetSocketAddress store;
  private final Misuse misuse;
  private final ClientThreads threads = new ClientThreads();

  /// The number of open connections.
  final AtomicInteger open = new AtomicInteger();

  /// The number of connections that the store has closed.
  final AtomicInteger ended = new AtomicInteger();

  /// @param port of the frontend
  HostileConnections(int port, Misuse misuse) {
    this.store = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    this.misuse = misuse;
    threads.start(misuse.connections, _ -> connectRepeatedly());
  }

  private void connectRepeatedly() {
    while (threads.areRunning()) {
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
      case SLOW_BODIES ->
          trickle(
              socket, "POST /orders HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000\r\n\r\n{");
      case SLOW_HEADS ->
          trickle(socket, "GET /products/Tux HTTP/1.1\r\nHost: localhost\r\nX-Slow: ");
      case PIPELINED_QUERIES -> pipeline(socket, QUERY, Duration.ZERO);
      case PIPELINED_LISTS -> pipeline(socket, LIST, Duration.ZERO);
      case SLOW_READERS -> pipeline(socket, LIST, SECOND);
      case IDLE -> read(socket, Duration.ZERO);
    }
  }

  /// Sends one byte per second until the store responds or closes the connection.
  private void trickle(Socket socket, String beginning) throws IOException {
    OutputStream out = socket.getOutputStream();
    out.write(beginning.getBytes(ISO_8859_1));
    while (threads.areRunning() && socket.getInputStream().available() == 0) {
      pause(SECOND);
      out.write('a');
    }
  }

  private void pipeline(Socket socket, String request, Duration pause) throws IOException {
    byte[] requests = request.repeat(PIPELINED).getBytes(ISO_8859_1);
    Thread.startVirtualThread(() -> send(socket, requests));
    read(socket, pause);
  }

  /// Sends until the reading thread has closed the socket.
  private void send(Socket socket, byte[] requests) {
    try {
      while (threads.areRunning()) {
        socket.getOutputStream().write(requests);
      }
    } catch (IOException gone) {
      // the reading thread handles it
    }
  }

  private void read(Socket socket, Duration pause) throws IOException {
    InputStream in = socket.getInputStream();
    var bytes = new byte[pause.isZero() ? 16 * SMALL_BUFFER : 1_024];
    while (threads.areRunning() && in.read(bytes) >= 0) {
      pause(pause);
    }
  }

  private static void pause(Duration pause) {
    if (!pause.isZero()) {
      LockSupport.parkNanos(pause.toNanos());
    }
  }

  /// Interrupts all threads, which closes their sockets.
  @Override
  public void close() {
    threads.close();
  }
}
