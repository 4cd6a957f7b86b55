package toystore.catalog.line;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Serves each connection with its own thread. Connections beyond the size of the pool wait until
/// another one is closed, even if that one is idle.
final class ThreadPerConnection extends LineProtocolServer {
  private static final Logger log = LoggerFactory.getLogger(ThreadPerConnection.class);

  private final Set<SocketChannel> open = ConcurrentHashMap.newKeySet();
  private final Thread acceptor;

  ThreadPerConnection(ServerSocketChannel listening, Setup setup) {
    super(listening, setup);
    acceptor = Thread.ofPlatform().name("line-acceptor").start(this::acceptAll);
  }

  @Override
  public int connections() {
    return open.size();
  }

  private void acceptAll() {
    while (listening.isOpen()) {
      try {
        accept(listening.accept());
      } catch (IOException e) {
        if (listening.isOpen()) {
          acceptFailed(e);
        }
      }
    }
  }

  private void accept(SocketChannel connection) {
    if (open.size() == setup.connections()) {
      reject(connection);
      return;
    }
    open.add(connection);
    if (!setup.workers().offer(() -> serve(connection))) {
      open.remove(connection);
      reject(connection);
    }
  }

  private void serve(SocketChannel connection) {
    try (Selector selector = Selector.open()) {
      var lineConnection = new LineConnection(connection, setup.answers(), setup.idle());
      serveUntilClosed(lineConnection, connection.register(selector, 0));
    } catch (IOException gone) {
      log.debug("a connection ended: {}", gone.toString());
    } finally {
      open.remove(connection);
      close(connection);
    }
  }

  private static void serveUntilClosed(LineConnection lineConnection, SelectionKey key)
      throws IOException {
    int next = lineConnection.proceed();
    while (next != LineConnection.CLOSE && !Thread.currentThread().isInterrupted()) {
      if (next != LineConnection.READY) {
        long left = TimeUnit.NANOSECONDS.toMillis(lineConnection.remainingIdleNanos());
        key.interestOps(next);
        if (left <= 0 || key.selector().select(left) == 0) {
          return; // silent for too long
        }
        key.selector().selectedKeys().clear();
      }
      next = lineConnection.proceed();
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
    join(acceptor);
    open.forEach(LineProtocolServer::close);
  }
}
