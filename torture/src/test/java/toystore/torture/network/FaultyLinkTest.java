package toystore.torture.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import toystore.torture.StoreProcesses;

/// Behind the link a server says everything back, once it has heard it all.
@Timeout(60)
class FaultyLinkTest {
  private static final int CONNECTIONS = 200;

  private final Set<Trouble> met = ConcurrentHashMap.newKeySet();
  private final AtomicInteger heard = new AtomicInteger();
  private ServerSocket server;
  private ServerSocket door;
  private FaultyLink link;

  @BeforeEach
  void open() throws IOException {
    server = new ServerSocket(0, CONNECTIONS, InetAddress.getLoopbackAddress());
    door = new ServerSocket(0, CONNECTIONS, InetAddress.getLoopbackAddress());
    link = new FaultyLink(door, server.getLocalPort(), 1, new SplittableRandom(1), met::add);
    Thread.ofVirtual().start(this::serve);
  }

  @AfterEach
  void close() throws IOException {
    link.close();
    server.close();
  }

  @Test
  void aCalmLinkPassesEverythingOnAsItIs() throws IOException {
    byte[] said = new byte[300_000];
    new SplittableRandom(1).nextBytes(said);
    assertThat(say(said)).isEqualTo(said);
    assertThat(met).containsExactly(Trouble.NONE);
  }

  @Test
  void aRagingLinkDoesEverythingThatItCanAndIsIdleInTheEnd() throws Exception {
    link.rage();
    int lost = 0;
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<byte[]>> all = new ArrayList<>();
      for (int i = 0; i < CONNECTIONS; i++) {
        all.add(threads.submit(() -> say(new byte[100])));
      }
      for (Future<byte[]> one : all) {
        lost += one.get().length < 100 ? 1 : 0;
      }
    }
    link.calm();
    StoreProcesses.await(link::isIdle);
    assertThat(met).containsAll(EnumSet.complementOf(EnumSet.of(Trouble.NONE)));
    assertThat(lost).as("answers lost").isBetween(1, CONNECTIONS - 1);
    assertThat(heard.get())
        .as("requests heard, more than were answered")
        .isBetween(CONNECTIONS - lost + 1, CONNECTIONS - 1);
  }

  private static byte[] receive(Socket socket) {
    try {
      return socket.getInputStream().readAllBytes();
    } catch (IOException lost) {
      return new byte[0];
    }
  }

  private byte[] say(byte[] all) throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), door.getLocalPort())) {
      try {
        socket.getOutputStream().write(all);
        socket.shutdownOutput();
      } catch (IOException lost) {
        return new byte[0];
      }
      return receive(socket);
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
        heard.incrementAndGet();
      }
      socket.getOutputStream().write(all);
    } catch (IOException lost) {
      // whoever asked notices
    }
  }
}
