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

/// Listens, and answers each line with a line.
///
/// A connection may send several requests, also before it has read its answers. It is closed when
/// it sends a line that is too long, when it has sent no whole line for as long as it may be idle,
/// when it does not take its answers for as long, and at once where there are as many as may be.
public abstract sealed class LineProtocolServer implements AutoCloseable
    permits ThreadPerConnection, ThreadPerRequest {
  private static final Logger log = LoggerFactory.getLogger(LineProtocolServer.class);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  final ServerSocketChannel listening;
  final Setup setup;
  private final AtomicLong turnedAway = new AtomicLong();

  /// What its workers serve.
  public enum Serving {
    /// A request: between two of them, a connection takes no thread.
    REQUEST,
    /// A connection: until it is closed, it has its thread to itself.
    CONNECTION
  }

  /// How it serves.
  ///
  /// @param answers what is answered to a line; neither has a line feed. Any thread
  /// @param connections as many may be open
  /// @param idle how long a connection may send no whole line
  public record Setup(
      WorkerPool workers, UnaryOperator<String> answers, int connections, Duration idle) {}

  LineProtocolServer(ServerSocketChannel listening, Setup setup) {
    this.listening = listening;
    this.setup = setup;
  }

  /// Opens one.
  ///
  /// @throws IOException where it cannot listen there
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

  /// Connections that are open, served or waiting.
  public abstract int connections();

  /// Connections that were closed at once because as many were open as may be.
  public final long turnedAway() {
    return turnedAway.get();
  }

  /// Listens no more and closes what is open. The workers are their owner's to close, afterwards.
  @Override
  public abstract void close() throws IOException;

  final void turnAway(SocketChannel connection) {
    turnedAway.incrementAndGet();
    close(connection);
  }

  /// Too many files may be open, and then the next try fails as well: after a pause.
  static void notAccepted(IOException failure) {
    log.warn("cannot accept a connection: {}", failure.toString());
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
