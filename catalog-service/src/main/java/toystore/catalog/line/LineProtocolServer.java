package toystore.catalog.line;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Accepts connections and answers each line with a line.
///
/// A connection may send several requests before it reads the answers. The server closes a
/// connection that sends a line that is too long, that sends no complete line or reads no answers
/// for the maximum idle time, or that exceeds the maximum number of connections.
public abstract sealed class LineProtocolServer implements AutoCloseable
    permits ThreadPerConnection, ThreadPerRequest {
  private static final Logger log = LoggerFactory.getLogger(LineProtocolServer.class);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  final ServerSocketChannel listening;
  final Setup setup;
  private final AtomicLong rejectedConnections = new AtomicLong();

  /// What a worker thread serves.
  public enum Serving {
    /// One request. A connection uses no thread between two requests.
    REQUEST,
    /// One connection, until it is closed.
    CONNECTION
  }

  /// Parameters of the server.
  ///
  /// @param answers returns the answer to a line; neither has a line feed. Any thread
  /// @param connections maximum number of open connections
  /// @param idle maximum time without a complete line
  public record Setup(
      WorkerPool workers, UnaryOperator<String> answers, int connections, Duration idle) {}

  LineProtocolServer(ServerSocketChannel listening, Setup setup) {
    this.listening = listening;
    this.setup = setup;
  }

  /// Opens a server.
  ///
  /// @throws IOException if the address cannot be bound
  public static LineProtocolServer open(InetSocketAddress at, Serving serving, Setup setup)
      throws IOException {
    ServerSocketChannel listening = ServerSocketChannel.open();
    try {
      listening.bind(at, setup.connections());
      return switch (serving) {
        case CONNECTION -> new ThreadPerConnection(listening, setup);
        case REQUEST -> new ThreadPerRequest(listening, setup);
      };
    } catch (IOException | RuntimeException e) {
      listening.close();
      throw e;
    }
  }

  public int port() {
    return listening.socket().getLocalPort();
  }

  /// Number of open connections, served or waiting.
  public abstract int connections();

  /// Number of connections closed immediately because the maximum was open.
  public final long rejectedConnections() {
    return rejectedConnections.get();
  }

  /// Stops listening and closes all connections. The owner must close the workers afterwards.
  @Override
  public abstract void close() throws IOException;

  final void reject(SocketChannel connection) {
    rejectedConnections.incrementAndGet();
    close(connection);
  }

  /// Logs the failure and waits briefly. If too many files are open, the next attempt would fail as
  /// well.
  static void acceptFailed(IOException failure) {
    log.warn("line protocol: accept failed, trying again: {}", failure.toString());
    LockSupport.parkNanos(PAUSE_NANOS);
  }

  static void close(SocketChannel connection) {
    try {
      connection.close();
    } catch (IOException e) {
      log.debug("a connection did not close: {}", e.toString());
    }
  }

  static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
