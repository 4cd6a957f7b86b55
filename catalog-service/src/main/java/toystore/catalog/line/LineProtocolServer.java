package toystore.catalog.line;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Accepts connections and answers each line with a line. A connection may send several before it
/// reads answers. It is closed if a line is too long, if it sends no complete line or reads no
/// answer for the maximum idle time, or if there are too many connections or no worker has a place.
public final class LineProtocolServer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(LineProtocolServer.class);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final ServerSocket listening;
  private final Serving serving;
  private final Setup setup;
  private final Set<LineConnection> open = ConcurrentHashMap.newKeySet();
  private final AtomicLong rejectedConnections = new AtomicLong();
  private final Thread acceptor;

  /// What a worker thread serves.
  public enum Serving {
    /// One request. A virtual thread waits for those of a connection.
    REQUEST,
    /// One connection, until it is closed. Others wait, even if that one is idle.
    CONNECTION
  }

  /// @param workers may reject tasks
  /// @param answers neither a line nor its answer has a line feed. Any thread
  /// @param idle maximum time without a complete line
  public record Setup(
      ExecutorService workers, UnaryOperator<String> answers, int connections, Duration idle) {}

  /// @throws IOException if the address cannot be bound
  public LineProtocolServer(InetSocketAddress at, Serving serving, Setup setup) throws IOException {
    this.listening = new ServerSocket(at.getPort(), setup.connections(), at.getAddress());
    this.serving = serving;
    this.setup = setup;
    listening.setSoTimeout((int) setup.idle().toMillis() / 4 + 1);
    acceptor = Thread.ofPlatform().name("line-acceptor").start(this::acceptAll);
  }

  public int port() {
    return listening.getLocalPort();
  }

  /// Served or waiting.
  public int connections() {
    return open.size();
  }

  /// Closed at once because the maximum was open.
  public long rejectedConnections() {
    return rejectedConnections.get();
  }

  private void acceptAll() {
    while (!listening.isClosed()) {
      try {
        accept(new LineConnection(listening.accept()));
      } catch (SocketTimeoutException _) {
        closeIdle();
      } catch (IOException e) {
        if (!listening.isClosed()) { // with too many open files, the next attempt would fail, too
          log.warn("line protocol: accept failed, trying again: {}", e.toString());
          LockSupport.parkNanos(PAUSE_NANOS);
        }
      }
    }
  }

  private void accept(LineConnection connection) {
    closeIdle();
    if (open.size() == setup.connections()) {
      reject(connection);
      return;
    }
    open.add(connection);
    switch (serving) {
      case REQUEST ->
          Thread.ofVirtual().name("line-connection").start(() -> serve(connection, this::answer));
      case CONNECTION -> {
        try {
          setup.workers().execute(() -> serve(connection, setup.answers()));
        } catch (RejectedExecutionException full) {
          open.remove(connection);
          reject(connection);
        }
      }
    }
  }

  private void reject(LineConnection connection) {
    rejectedConnections.incrementAndGet();
    connection.close();
  }

  private void closeIdle() {
    long limit = setup.idle().toNanos();
    open.stream().filter(it -> it.isIdle(limit)).forEach(LineConnection::close);
  }

  private void serve(LineConnection connection, UnaryOperator<String> answers) {
    try (connection) {
      connection.serve(answers);
    } catch (IOException | RejectedExecutionException gone) {
      log.debug("a connection ended: {}", gone.toString());
    } catch (RuntimeException e) {
      log.error("unexpected exception while handling a request of the line protocol", e);
    } finally {
      open.remove(connection);
    }
  }

  private String answer(String line) {
    return CompletableFuture.supplyAsync(() -> setup.answers().apply(line), setup.workers()).join();
  }

  /// Also closes all connections and ends the workers.
  @Override
  public void close() {
    try {
      listening.close();
      acceptor.join();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    open.forEach(LineConnection::close);
    setup.workers().close();
  }
}
