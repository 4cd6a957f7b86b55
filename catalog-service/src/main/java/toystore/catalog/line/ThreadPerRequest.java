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

/// Serves each request with a thread of the pool. One thread waits for input on all connections. A
/// connection with several requests is queued again after each of them.
///
/// While the pool serves a connection, its key has no interest operations.
final class ThreadPerRequest extends LineProtocolServer {
  private static final Logger log = LoggerFactory.getLogger(ThreadPerRequest.class);

  private final Selector selector;
  private final Thread selectorThread;
  private long nextIdleCheck = System.nanoTime();

  ThreadPerRequest(ServerSocketChannel listening, Setup setup) throws IOException {
    super(listening, setup);
    selector = Selector.open();
    listening.configureBlocking(false);
    listening.register(selector, SelectionKey.OP_ACCEPT);
    selectorThread = Thread.ofPlatform().name("line-watcher").start(this::runSelector);
  }

  @Override
  public int connections() {
    return selector.isOpen() ? selector.keys().size() - 1 : 0; // one of them listens
  }

  private void runSelector() {
    while (selector.isOpen()) {
      try {
        selector.select(this::ready, connections() == 0 ? 0 : setup.idle().toMillis() / 4 + 1);
        closeIdle();
      } catch (IOException e) {
        log.warn("line protocol: select failed, trying again: {}", e.toString());
      } catch (ClosedSelectorException stopping) {
        return;
      }
    }
  }

  private void ready(SelectionKey key) {
    if (key.attachment() instanceof LineConnection lineConnection) {
      key.interestOps(0);
      if (!setup.workers().offer(() -> answer(lineConnection, key))) {
        end(key);
      }
      return;
    }
    try {
      accept();
    } catch (IOException e) {
      acceptFailed(e);
    }
  }

  private void accept() throws IOException {
    SocketChannel connection = listening.accept();
    if (connection == null) {
      return;
    }
    if (connections() == setup.connections()) {
      reject(connection);
      return;
    }
    try {
      var lineConnection = new LineConnection(connection, setup.answers(), setup.idle());
      connection.register(selector, SelectionKey.OP_READ, lineConnection);
    } catch (IOException gone) {
      close(connection);
    }
  }

  /// Runs on a worker thread: serves one request, or reads a part of it.
  private void answer(LineConnection lineConnection, SelectionKey key) {
    try {
      int next = lineConnection.proceed();
      switch (next) {
        case LineConnection.CLOSE -> end(key);
        case LineConnection.READY -> {
          if (!setup.workers().offer(() -> answer(lineConnection, key))) {
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

  private void closeIdle() {
    long now = System.nanoTime();
    if (now < nextIdleCheck) {
      return;
    }
    nextIdleCheck = now + setup.idle().toNanos() / 4;
    for (SelectionKey key : selector.keys()) {
      if (key.attachment() instanceof LineConnection lineConnection
          && key.isValid()
          && key.interestOps() != 0
          && lineConnection.remainingIdleNanos() < 0) {
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
    join(selectorThread);
  }
}
