package toystore.torture;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/// Connections that misuse HTTP in one way. One that the store ends is opened again a second later.
/// Any thread.
final class HostileConnections implements AutoCloseable {
  private static final String QUERY = "GET /products/Tux HTTP/1.1\r\nHost: store\r\n\r\n";
  private static final String LIST = "GET /products?limit=200 HTTP/1.1\r\nHost: store\r\n\r\n";
  private static final int PIPELINED = 300;
  private static final int SMALL_BUFFER = 4_096;

  /// What they do.
  enum Misuse {
    /// Send a body a byte a second.
    SLOW_BODIES(1_000),
    /// Send queries without end, whether or not they are answered.
    PIPELINED_QUERIES(150),
    /// The same with lists of 200 products.
    PIPELINED_LISTS(150),
    /// The same, and read 1 kB a second of what is answered.
    SLOW_READERS(150),
    /// Send nothing.
    IDLE(4_200),
    /// Send a head a byte a second: a reverse proxy's task.
    SLOW_HEADS(1_000);

    final int connections;

    Misuse(int connections) {
      this.connections = connections;
    }
  }

  private final InetSocketAddress store;
  private final Misuse misuse;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicInteger ended = new AtomicInteger();
  private volatile boolean running = true;

  /// @param port of the frontend
  HostileConnections(int port, Misuse misuse) {
    this.store = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    this.misuse = misuse;
    for (int i = 0; i < misuse.connections; i++) {
      threads.execute(this::reconnectUntilClosed);
    }
  }

  /// How many connections there are.
  int connections() {
    return open.size();
  }

  /// How many the store has ended.
  int ended() {
    return ended.get();
  }

  private void reconnectUntilClosed() {
    while (running) {
      try (var socket = new Socket()) {
        socket.setReceiveBufferSize(
            misuse == Misuse.SLOW_READERS ? SMALL_BUFFER : 16 * SMALL_BUFFER);
        socket.connect(store);
        open.add(socket);
        try {
          misuse(socket);
        } finally {
          open.remove(socket);
        }
      } catch (IOException gone) {
        // by the store, or at the end
      }
      ended.incrementAndGet();
      pause(Duration.ofSeconds(1));
    }
  }

  private void misuse(Socket socket) throws IOException {
    switch (misuse) {
      case SLOW_BODIES ->
          trickle(socket, "POST /orders HTTP/1.1\r\nHost: store\r\nContent-Length: 60000\r\n\r\n{");
      case SLOW_HEADS -> trickle(socket, "GET /products/Tux HTTP/1.1\r\nHost: store\r\nX-Slow: ");
      case PIPELINED_QUERIES -> pipeline(socket, QUERY, Duration.ZERO);
      case PIPELINED_LISTS -> pipeline(socket, LIST, Duration.ZERO);
      case SLOW_READERS -> pipeline(socket, LIST, Duration.ofSeconds(1));
      case IDLE -> read(socket, Duration.ZERO);
    }
  }

  /// Ends once the store has answered or closed.
  private void trickle(Socket socket, String beginning) throws IOException {
    OutputStream out = socket.getOutputStream();
    out.write(bytes(beginning));
    while (running && socket.getInputStream().available() == 0) {
      pause(Duration.ofSeconds(1));
      out.write('a');
    }
  }

  private void pipeline(Socket socket, String request, Duration pause) throws IOException {
    threads.execute(() -> send(socket, bytes(request.repeat(PIPELINED))));
    read(socket, pause);
  }

  private void send(Socket socket, byte[] requests) {
    try {
      while (running) {
        socket.getOutputStream().write(requests);
      }
    } catch (IOException gone) {
      // the reader sees it too
    }
  }

  private void read(Socket socket, Duration pause) throws IOException {
    InputStream in = socket.getInputStream();
    var bytes = new byte[pause.isZero() ? 16 * SMALL_BUFFER : 1_024];
    while (running && in.read(bytes) >= 0) {
      pause(pause);
    }
  }

  private void pause(Duration pause) {
    if (running && !pause.isZero()) {
      LockSupport.parkNanos(pause.toNanos());
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  @Override
  public void close() throws IOException {
    running = false;
    for (Socket socket : open) {
      socket.close();
    }
    threads.close();
  }
}
