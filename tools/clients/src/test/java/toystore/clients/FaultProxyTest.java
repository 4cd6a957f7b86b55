package toystore.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.clients.Conditions.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Tests the proxy with a server that receives the whole request and then echoes it.
class FaultProxyTest {
  private static final int CONNECTIONS = 200;

  private final AtomicInteger received = new AtomicInteger();
  private ServerSocket server;
  private FaultProxy proxy;

  @BeforeEach
  void open() throws IOException {
    server = new ServerSocket(0, CONNECTIONS, InetAddress.getLoopbackAddress());
    proxy = new FaultProxy(server.getLocalPort(), 1, new SplittableRandom(1));
    Thread.ofVirtual().start(this::serve);
  }

  @AfterEach
  void close() throws IOException {
    proxy.close();
    server.close();
  }

  @Test
  void bytesPassUnchangedWithoutFaults() {
    byte[] sent = new byte[300_000];
    new SplittableRandom(1).nextBytes(sent);
    assertThat(exchange(sent)).isEqualTo(sent);
    assertThat(injectedFaults()).containsExactly(Fault.NONE);
  }

  @Test
  void everyFaultIsInjectedAndTheProxyBecomesIdle() throws Exception {
    proxy.injectFaults();
    int lost = 0;
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<byte[]>> all = new ArrayList<>();
      for (int i = 0; i < CONNECTIONS; i++) {
        all.add(threads.submit(() -> exchange(new byte[100])));
      }
      for (Future<byte[]> one : all) {
        lost += one.get().length < 100 ? 1 : 0;
      }
    }
    proxy.heal();
    await(proxy::isIdle);
    assertThat(injectedFaults()).containsAll(EnumSet.complementOf(EnumSet.of(Fault.NONE)));
    assertThat(lost).as("lost responses").isBetween(1, CONNECTIONS - 1);
    assertThat(received.get())
        .as("received requests, more than were answered")
        .isBetween(CONNECTIONS - lost + 1, CONNECTIONS - 1);
  }

  @Test
  void silentProxyHoldsBytesAndConnectionsUntilItIsHealed() throws Exception {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      proxy.silence();
      socket.getOutputStream().write(new byte[100]);
      socket.shutdownOutput();
      Future<byte[]> connectedLater = threads.submit(() -> exchange(new byte[100]));
      await(() -> !proxy.isIdle());
      assertThat(received.get()).isZero();
      assertThat(connectedLater.isDone()).isFalse();
      proxy.heal();
      assertThat(receive(socket)).hasSize(100);
      assertThat(connectedLater.get()).hasSize(100);
    }
  }

  @Test
  void refusingProxyResetsOldAndNewConnections() throws Exception {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port())) {
      socket.getOutputStream().write(1);
      await(() -> proxy.count(Fault.NONE) == 1);
      proxy.refuse();
      assertThat(receive(socket)).isEmpty();
      assertThat(exchange(new byte[100])).isEmpty();
      proxy.heal();
      assertThat(exchange(new byte[100])).hasSize(100);
    }
  }

  private Set<Fault> injectedFaults() {
    return Arrays.stream(Fault.values())
        .filter(fault -> proxy.count(fault) > 0)
        .collect(Collectors.toCollection(() -> EnumSet.noneOf(Fault.class)));
  }

  private static byte[] receive(Socket socket) {
    try {
      return socket.getInputStream().readAllBytes();
    } catch (IOException lost) {
      return new byte[0];
    }
  }

  /// @return the bytes received until the end of the connection; empty if the connection failed
  private byte[] exchange(byte[] all) {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port())) {
      socket.getOutputStream().write(all);
      socket.shutdownOutput();
      return receive(socket);
    } catch (IOException lost) {
      return new byte[0];
    }
  }

  private void serve() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        Thread.ofVirtual().start(() -> answer(socket));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void answer(Socket socket) {
    try (socket) {
      byte[] all = receive(socket);
      if (all.length >= 100) {
        received.incrementAndGet();
      }
      socket.getOutputStream().write(all);
    } catch (IOException lost) {
      // the client detects the failure
    }
  }
}
