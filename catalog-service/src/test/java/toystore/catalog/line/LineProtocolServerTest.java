package toystore.catalog.line;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import toystore.catalog.line.LineProtocolServer.Serving;
import toystore.clients.RawClient;

@SuppressWarnings("NullAway.Init") // opened by each test
class LineProtocolServerTest {
  private static final Duration LONG = Duration.ofSeconds(30);

  private ThreadPoolExecutor workers;
  private LineProtocolServer server;

  private LineProtocolServer open(Serving serving, int threads, int connections, Duration idle)
      throws IOException {
    return open(serving, threads, connections, idle, line -> "<" + line + ">");
  }

  private LineProtocolServer open(
      Serving serving, int threads, int connections, Duration idle, UnaryOperator<String> answers)
      throws IOException {
    workers =
        new ThreadPoolExecutor(
            threads,
            threads,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(connections),
            Thread.ofPlatform().name("test-worker-", 0).factory());
    server =
        new LineProtocolServer(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            serving,
            new LineProtocolServer.Setup(workers, answers, connections, idle));
    return server;
  }

  @AfterEach
  void close() {
    server.close();
  }

  @ParameterizedTest
  @EnumSource
  void eachLineIsAnsweredForAnyPacketBoundaries(Serving serving) throws IOException {
    open(serving, 2, 10, LONG);
    var random = new Random(1);
    List<String> lines =
        IntStream.range(0, 200).mapToObj(i -> "é".repeat(random.nextInt(20)) + i).toList();
    byte[] all = (String.join("\n", lines) + "\n").getBytes(UTF_8);
    try (var trader = RawClient.patient(server.port())) {
      for (int at = 0; at < all.length; ) {
        int length = Math.min(1 + random.nextInt(40), all.length - at);
        trader.socket().getOutputStream().write(all, at, length);
        at += length;
      }
      for (String line : lines) {
        assertThat(trader.line()).isEqualTo("<" + line + ">");
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void lineEndsWithCrLfOrEndOfStream(Serving serving) throws IOException {
    open(serving, 1, 10, LONG);
    try (var trader = RawClient.patient(server.port())) {
      trader.send("one\r\n\ntwo\nlast");
      assertThat(trader.halfClose().rest().lines())
          .containsExactly("<one>", "<>", "<two>", "<last>");
    }
  }

  @ParameterizedTest
  @EnumSource
  void tooLongLineIsRefusedAndClosesOnlyItsConnection(Serving serving) throws IOException {
    open(serving, 2, 10, LONG);
    String longest = "x".repeat(LineConnection.MAX_LINE - 1);
    try (var trader = RawClient.patient(server.port());
        var other = RawClient.patient(server.port())) {
      assertThat(trader.send(longest + "\n").line()).isEqualTo("<" + longest + ">");
      assertThat(trader.send(longest + "xx").line())
          .isEqualTo("error: a line must have at most 1024 bytes");
      assertThat(trader.awaitAnswer()).isFalse();
      assertThat(other.send("still here\n").line()).isEqualTo("<still here>");
    }
  }

  @ParameterizedTest
  @EnumSource
  void randomInputIsAnsweredAndDoesNoHarm(Serving serving) throws IOException {
    open(serving, 2, 100, LONG);
    var random = new Random(2);
    for (int i = 0; i < 50; i++) {
      try (var trader = RawClient.patient(server.port())) {
        byte[] noise = new byte[random.nextInt(3_000)];
        random.nextBytes(noise);
        trader.socket().getOutputStream().write(noise);
      } catch (IOException refused) {
        // the server closed the connection because a line was too long
      }
    }
    try (var trader = RawClient.patient(server.port())) {
      assertThat(trader.send("and now\n").line()).isEqualTo("<and now>");
    }
  }

  @ParameterizedTest
  @EnumSource
  void connectionAboveTheLimitIsClosedImmediately(Serving serving) throws IOException {
    open(serving, 2, 2, LONG);
    try (var first = RawClient.patient(server.port());
        var second = RawClient.patient(server.port())) {
      assertThat(first.send("1\n").line()).isEqualTo("<1>");
      assertThat(second.send("2\n").line()).isEqualTo("<2>");
      try (var third = RawClient.patient(server.port())) {
        assertThat(third.awaitAnswer()).isFalse();
      }
      assertThat(server.rejectedConnections()).isEqualTo(1);
      assertThat(first.send("1\n").line()).isEqualTo("<1>");
    }
  }

  @ParameterizedTest
  @EnumSource
  void connectionWithoutCompleteLineIsClosedAfterIdleTime(Serving serving) throws Exception {
    open(serving, 2, 10, Duration.ofMillis(200));
    try (var silent = RawClient.patient(server.port());
        var trickling = RawClient.patient(server.port())) {
      assertThat(silent.awaitAnswer()).isFalse();
      String end = "";
      try {
        while (end != null) {
          trickling.send("x");
          end = trickling.isAnsweredWithin(Duration.ofMillis(20)) ? null : "";
        }
      } catch (IOException closed) {
        // the server closed the connection during a write
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void clientThatDoesNotReadAnswersBlocksNobody(Serving serving) throws Exception {
    String wide = "y".repeat(1_000);
    open(serving, 2, 10, Duration.ofSeconds(1), _ -> wide);
    try (var notReading = RawClient.patient(server.port());
        var other = RawClient.patient(server.port())) {
      Thread sender =
          Thread.startVirtualThread(() -> {
            try {
              while (true) {
                notReading.send("\n".repeat(1_000));
              }
            } catch (IOException closed) {
              // expected: the server closes the connection
            }
          });
      for (int i = 0; i < 100; i++) {
        assertThat(other.send("\n").line()).isEqualTo(wide);
      }
      sender.join();
    }
  }

  @ParameterizedTest
  @EnumSource
  void manyConnectionsAreServedByFewThreads(Serving serving) throws Exception {
    open(serving, 4, 100, LONG);
    try (var traders = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Boolean>> right = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        String name = "trader " + i;
        right.add(traders.submit(() -> isServed(name)));
      }
      for (Future<Boolean> it : right) {
        assertThat(it.get()).isTrue();
      }
    }
  }

  private boolean isServed(String name) {
    try (var trader = RawClient.patient(server.port())) {
      for (int i = 0; i < 20; i++) {
        String line = name + " " + i;
        if (!("<" + line + ">").equals(trader.send(line + "\n").line())) {
          return false;
        }
      }
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void threadPerConnectionLeavesConnectionsBeyondThePoolWaiting() throws IOException {
    open(Serving.CONNECTION, 2, 10, LONG);
    try (var third = openBesideIdle(2)) {
      assertThat(third.send("3\n").isAnsweredWithin(Duration.ofMillis(300))).isFalse();
      assertThat(workers.getQueue()).hasSize(1);
      assertThat(workers.getActiveCount()).isEqualTo(2);
      held.removeFirst().close();
      assertThat(third.line()).isEqualTo("<3>");
    } finally {
      for (RawClient it : held) {
        it.close();
      }
    }
  }

  @Test
  void threadPerRequestServesMoreConnectionsThanThreads() throws IOException {
    open(Serving.REQUEST, 2, 10, LONG);
    try (var third = openBesideIdle(2)) {
      assertThat(third.send("3\n").line()).isEqualTo("<3>");
    } finally {
      for (RawClient it : held) {
        it.close();
      }
    }
  }

  private final List<RawClient> held = new ArrayList<>();

  private RawClient openBesideIdle(int connections) throws IOException {
    for (int i = 0; i < connections; i++) {
      var trader = RawClient.patient(server.port());
      held.add(trader);
      assertThat(trader.send(i + "\n").line()).isEqualTo("<" + i + ">");
    }
    return RawClient.patient(server.port());
  }

  @ParameterizedTest
  @EnumSource
  void idleServerUsesNoCpu(Serving serving) throws Exception {
    open(serving, 8, 100, LONG);
    var threads = java.lang.management.ManagementFactory.getThreadMXBean();
    try (var trader = RawClient.patient(server.port())) {
      trader.send("hello\n").line();
      long before = cpuNanos(threads);
      assertThat(trader.isAnsweredWithin(Duration.ofMillis(500))).isFalse();
      assertThat(cpuNanos(threads) - before).isLessThan(5_000_000);
    }
  }

  private static long cpuNanos(java.lang.management.ThreadMXBean threads) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(it -> it.getName().startsWith("test-worker") || it.getName().startsWith("line-"))
        .mapToLong(it -> threads.getThreadCpuTime(it.threadId()))
        .sum();
  }

  @ParameterizedTest
  @EnumSource
  void closeClosesAllConnections(Serving serving) throws Exception {
    open(serving, 2, 10, LONG);
    try (var trader = RawClient.patient(server.port())) {
      assertThat(trader.send("hello\n").line()).isEqualTo("<hello>");
      server.close();
      assertThat(trader.awaitAnswer()).isFalse();
    }
  }
}
