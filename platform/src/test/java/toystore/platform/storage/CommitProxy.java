package toystore.platform.storage;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReference;

/// A TCP proxy before a PostgreSQL server. It can cut a connection at its next COMMIT.
final class CommitProxy implements AutoCloseable {
  private final ServerSocket proxy = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
  private final int server;
  private final AtomicReference<Cut> cut = new AtomicReference<>(Cut.NONE);

  /// When the connection is cut.
  enum Cut {
    NONE,
    /// The server does not receive the COMMIT.
    BEFORE_COMMIT,
    /// The server answers the COMMIT; the answer is lost.
    AFTER_COMMIT
  }

  CommitProxy(int server) throws IOException {
    this.server = server;
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return proxy.getLocalPort();
  }

  void cutNext(Cut next) {
    cut.set(next);
  }

  /// Whether the connection was cut since [#cutNext].
  boolean hasCut() {
    return cut.get() == Cut.NONE;
  }

  private void accept() {
    while (!proxy.isClosed()) {
      try {
        Socket client = proxy.accept();
        Socket to = new Socket(InetAddress.getLoopbackAddress(), server);
        Thread.ofVirtual().start(() -> copy(client, to, true));
        Thread.ofVirtual().start(() -> copy(to, client, false));
      } catch (IOException e) {
        if (!proxy.isClosed()) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }

  private void copy(Socket from, Socket to, boolean fromClient) {
    var chunk = new byte[1 << 16];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int n = in.read(chunk); n > 0; n = in.read(chunk)) {
        boolean commits =
            fromClient && new String(chunk, 0, n, StandardCharsets.ISO_8859_1).contains("COMMIT");
        Cut now = commits ? cut.getAndSet(Cut.NONE) : Cut.NONE;
        if (now == Cut.BEFORE_COMMIT) {
          return;
        }
        if (now == Cut.AFTER_COMMIT) {
          from.shutdownOutput(); // the other direction cannot deliver the answer
        }
        out.write(chunk, 0, n);
      }
    } catch (IOException e) {
      // the connection ended
    }
  }

  @Override
  public void close() throws IOException {
    proxy.close();
  }
}
