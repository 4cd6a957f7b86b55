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

/// A thread a connection. Those beyond the pool's threads wait, however little the others ask,
/// until one of them is closed.
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
          notAccepted(e);
        }
      }
    }
  }

  private void accept(SocketChannel connection) {
    if (open.size() == setup.connections()) {
      turnAway(connection);
      return;
    }
    open.add(connection);
    if (!setup.workers().offer(() -> serve(connection))) {
      open.remove(connection);
      turnAway(connection);
    }
  }

  private void serve(SocketChannel connection) {
    try (Selector selector = Selector.open()) {
      var conversation = new LineConnection(connection, setup.answers(), setup.idle());
      converse(conversation, connection.register(selector, 0));
    } catch (IOException gone) {
      log.debug("a connection ended: {}", gone.toString());
    } finally {
      open.remove(connection);
      close(connection);
    }
  }

  private static void converse(LineConnection conversation, SelectionKey key) throws IOException {
    int next = conversation.proceed();
    while (next != LineConnection.OVER && !Thread.currentThread().isInterrupted()) {
      if (next != LineConnection.READY) {
        long left = TimeUnit.NANOSECONDS.toMillis(conversation.patienceNanos());
        key.interestOps(next);
        if (left <= 0 || key.selector().select(left) == 0) {
          return; // silent for too long
        }
        key.selector().selectedKeys().clear();
      }
      next = conversation.proceed();
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
    join(acceptor);
    open.forEach(LineProtocolServer::close);
  }
}
