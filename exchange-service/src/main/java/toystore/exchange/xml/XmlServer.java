package toystore.exchange.xml;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Serves each connection on a virtual thread. Above the maximum, connections wait in the kernel's
/// backlog. Beyond that, the kernel ignores a client's attempt, which the client's kernel repeats
/// after 1, 3, 7 … seconds, or resets it.
final class XmlServer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(XmlServer.class);
  private static final int BACKLOG = 1 << 16; // the kernel takes less: net.core.somaxconn
  private static final Duration SWEEP = Duration.ofMillis(250);
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final Duration GRACE = Duration.ofSeconds(5);

  private final XmlGateway gateway;
  private final ServerSocket listening;
  private final Semaphore slots;
  private final Set<XmlConnection> open = ConcurrentHashMap.newKeySet();
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread acceptor;

  /// @throws IOException if the address cannot be bound
  XmlServer(InetSocketAddress at, XmlGateway gateway) throws IOException {
    this.gateway = gateway;
    this.slots = new Semaphore(gateway.limits().connections());
    this.listening = new ServerSocket();
    try {
      listening.bind(at, BACKLOG);
    } catch (IOException | RuntimeException e) {
      listening.close();
      throw e;
    }
    acceptor = Thread.ofPlatform().name("xml-acceptor").start(this::acceptAll);
    Thread.ofVirtual().name("xml-sweeper").start(this::sweepAll);
  }

  int port() {
    return listening.getLocalPort();
  }

  int connections() {
    return open.size();
  }

  private void acceptAll() {
    try {
      while (!listening.isClosed()) {
        slots.acquire();
        accept();
      }
    } catch (InterruptedException _) { // closed
      Thread.currentThread().interrupt();
    }
  }

  private void accept() {
    boolean started = false;
    try {
      Socket socket = listening.accept();
      var connection = new XmlConnection(socket, gateway);
      open.add(connection);
      Thread.startVirtualThread(() -> serve(connection));
      started = true;
    } catch (IOException e) {
      if (!listening.isClosed()) { // such as too many open files
        log.warn("accepting a connection failed, trying again: {}", e.toString());
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    } finally {
      if (!started) {
        slots.release();
      }
    }
  }

  private void serve(XmlConnection connection) {
    try {
      connection.serve();
    } catch (RuntimeException e) {
      log.error("unexpected exception while serving a connection", e);
    } finally {
      open.remove(connection);
      slots.release();
    }
  }

  private void sweepAll() {
    try {
      while (!closing.await(SWEEP.toMillis(), TimeUnit.MILLISECONDS)) {
        open.forEach(XmlConnection::closeIfStuck);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /// Connections first answer the requests that they are receiving or executing.
  @Override
  public void close() throws IOException {
    listening.close();
    acceptor.interrupt();
    open.forEach(XmlConnection::stop);
    try {
      acceptor.join();
      open.forEach(XmlConnection::stop); // accepted meanwhile
      int all = gateway.limits().connections();
      if (slots.tryAcquire(all, GRACE.toMillis(), TimeUnit.MILLISECONDS)) {
        slots.release(all);
      } else {
        log.warn("{} connections are closed before their requests are answered", open.size());
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      closing.countDown();
      open.forEach(XmlConnection::close);
      gateway.close();
    }
  }
}
