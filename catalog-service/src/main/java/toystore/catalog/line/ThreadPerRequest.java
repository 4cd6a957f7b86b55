package toystore.catalog.line;

import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A thread a request: one thread watches all connections, and what came is answered by the pool,
/// request by request, so that a connection with many of them waits its turn.
///
/// A connection is in the pool's hands while its key is interested in nothing.
final class ThreadPerRequest extends LineProtocolServer {
  private static final Logger log = LoggerFactory.getLogger(ThreadPerRequest.class);

  private final Selector selector;
  private final Thread watcher;
  private long lookAgainAt = System.nanoTime();

  ThreadPerRequest(ServerSocketChannel listening, Setup setup) throws IOException {
    super(listening, setup);
    selector = Selector.open();
    listening.configureBlocking(false);
    listening.register(selector, SelectionKey.OP_ACCEPT);
    watcher = Thread.ofPlatform().name("line-watcher").start(this::watch);
  }

  @Override
  public int connections() {
    return selector.isOpen() ? selector.keys().size() - 1 : 0; // one of them listens
  }

  private void watch() {
    while (selector.isOpen()) {
      try {
        selector.select(this::ready, connections() == 0 ? 0 : setup.idle().toMillis() / 4 + 1);
        closeSilent();
      } catch (IOException e) {
        log.warn("cannot wait for requests: {}", e.toString());
      } catch (ClosedSelectorException stopping) {
        return;
      }
    }
  }

  private void ready(SelectionKey key) {
    if (key.attachment() instanceof LineConnection conversation) {
      key.interestOps(0);
      if (!setup.workers().offer(() -> answer(conversation, key))) {
        end(key);
      }
      return;
    }
    try {
      accept();
    } catch (IOException e) {
      notAccepted(e);
    }
  }

  private void accept() throws IOException {
    SocketChannel connection = listening.accept();
    if (connection == null) {
      return;
    }
    if (connections() == setup.connections()) {
      turnAway(connection);
      return;
    }
    try {
      var conversation = new LineConnection(connection, setup.answers(), setup.idle());
      connection.register(selector, SelectionKey.OP_READ, conversation);
    } catch (IOException gone) {
      close(connection);
    }
  }

  /// A worker's: one request, or what there is of it.
  private void answer(LineConnection conversation, SelectionKey key) {
    try {
      int next = conversation.proceed();
      switch (next) {
        case LineConnection.OVER -> end(key);
        case LineConnection.READY -> {
          if (!setup.workers().offer(() -> answer(conversation, key))) {
            end(key);
          }
        }
        default -> {
          key.interestOps(next);
          selector.wakeup();
        }
      }
    } catch (IOException | CancelledKeyException gone) {
      log.debug("a connection ended: {}", gone.toString());
      end(key);
    }
  }

  private void closeSilent() {
    long now = System.nanoTime();
    if (now < lookAgainAt) {
      return;
    }
    lookAgainAt = now + setup.idle().toNanos() / 4;
    for (SelectionKey key : selector.keys()) {
      if (key.attachment() instanceof LineConnection conversation
          && key.isValid()
          && key.interestOps() != 0
          && conversation.patienceNanos() < 0) {
        end(key);
      }
    }
  }

  private void end(SelectionKey key) {
    close((SocketChannel) key.channel());
    selector.wakeup(); // forgets the key
  }

  @Override
  public void close() throws IOException {
    if (!selector.isOpen()) {
      return;
    }
    listening.close();
    for (SelectionKey key : selector.keys()) {
      key.channel().close();
    }
    selector.close();
    join(watcher);
  }
}
