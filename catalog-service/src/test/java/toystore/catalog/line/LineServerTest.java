package toystore.catalog.line;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import toystore.catalog.line.LineServer.Serving;

@Timeout(60)
@SuppressWarnings("NullAway.Init") // each test opens one
class LineServerTest {
  private static final Duration LONG = Duration.ofSeconds(30);

  private WorkerPool workers;
  private LineServer server;

  private LineServer open(Serving serving, int threads, int connections, Duration idle)
      throws IOException {
    return open(serving, threads, connections, idle, line -> "<" + line + ">");
  }

  private LineServer open(
      Serving serving, int threads, int connections, Duration idle, UnaryOperator<String> answers)
      throws IOException {
    workers = new WorkerPool("test-worker", threads, connections, _ -> {});
    server =
        LineServer.open(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            serving,
            new LineServer.Setup(workers, answers, connections, idle));
    return server;
  }

  @AfterEach
  void close() throws IOException {
    server.close();
    workers.close();
  }

  /// A trader's program.
  private static final class Trader implements AutoCloseable {
    final Socket socket;
    final BufferedReader answers;

    Trader(LineServer server) throws IOException {
      socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(20_000);
      answers = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
    }

    Trader say(String text) throws IOException {
      socket.getOutputStream().write(text.getBytes(UTF_8));
      return this;
    }

    @Nullable String hear() throws IOException {
      return answers.readLine();
    }

    boolean isAnsweredWithin(Duration time) throws IOException {
      socket.setSoTimeout((int) time.toMillis());
      try {
        hear();
        return true;
      } catch (SocketTimeoutException e) {
        return false;
      } finally {
        socket.setSoTimeout(20_000);
      }
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  @ParameterizedTest
  @EnumSource
  void eachLineIsAnsweredHoweverItIsCut(Serving serving) throws IOException {
    open(serving, 2, 10, LONG);
    var random = new Random(1);
    List<String> lines =
        IntStream.range(0, 200).mapToObj(i -> "é".repeat(random.nextInt(20)) + i).toList();
    byte[] all = (String.join("\n", lines) + "\n").getBytes(UTF_8);
    try (var trader = new Trader(server)) {
      for (int at = 0; at < all.length; ) {
        int length = Math.min(1 + random.nextInt(40), all.length - at);
        trader.socket.getOutputStream().write(all, at, length);
        at += length;
      }
      for (String line : lines) {
        assertThat(trader.hear()).isEqualTo("<" + line + ">");
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aCarriageReturnBelongsToTheEndAndTheEndOfTheStreamEndsALine(Serving serving)
      throws IOException {
    open(serving, 1, 10, LONG);
    try (var trader = new Trader(server)) {
      trader.say("one\r\n\ntwo\nlast");
      trader.socket.shutdownOutput();
      assertThat(trader.answers.readAllLines()).containsExactly("<one>", "<>", "<two>", "<last>");
    }
  }

  @ParameterizedTest
  @EnumSource
  void aLineThatIsTooLongIsRefusedAndEndsItsConnectionAlone(Serving serving) throws IOException {
    open(serving, 2, 10, LONG);
    String longest = "x".repeat(LineBuffer.BOUND - 1);
    try (var trader = new Trader(server);
        var other = new Trader(server)) {
      assertThat(trader.say(longest + "\n").hear()).isEqualTo("<" + longest + ">");
      assertThat(trader.say(longest + "xx").hear())
          .isEqualTo("error: a line has at most 1024 bytes");
      assertThat(trader.hear()).isNull();
      assertThat(other.say("still here\n").hear()).isEqualTo("<still here>");
    }
  }

  @ParameterizedTest
  @EnumSource
  void noiseIsAnsweredAndSurvived(Serving serving) throws IOException {
    open(serving, 2, 100, LONG);
    var random = new Random(2);
    for (int i = 0; i < 50; i++) {
      try (var trader = new Trader(server)) {
        byte[] noise = new byte[random.nextInt(3_000)];
        random.nextBytes(noise);
        trader.socket.getOutputStream().write(noise);
      } catch (IOException refused) {
        // a line too long ended it
      }
    }
    try (var trader = new Trader(server)) {
      assertThat(trader.say("and now\n").hear()).isEqualTo("<and now>");
    }
  }

  @ParameterizedTest
  @EnumSource
  void aConnectionBeyondTheBoundIsClosedAtOnce(Serving serving) throws IOException {
    open(serving, 2, 2, LONG);
    try (var first = new Trader(server);
        var second = new Trader(server)) {
      assertThat(first.say("1\n").hear()).isEqualTo("<1>");
      assertThat(second.say("2\n").hear()).isEqualTo("<2>");
      try (var third = new Trader(server)) {
        assertThat(third.hear()).isNull();
      }
      assertThat(server.turnedAway()).isEqualTo(1);
      assertThat(first.say("1\n").hear()).isEqualTo("<1>");
    }
  }

  @ParameterizedTest
  @EnumSource
  void whoSendsNoWholeLineForTooLongIsClosed(Serving serving) throws Exception {
    open(serving, 2, 10, Duration.ofMillis(200));
    try (var silent = new Trader(server);
        var trickling = new Trader(server)) {
      assertThat(silent.hear()).isNull();
      String end = "";
      try {
        while (end != null) {
          trickling.say("x");
          end = trickling.isAnsweredWithin(Duration.ofMillis(20)) ? null : "";
        }
      } catch (IOException closed) {
        // while it sent
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void whoDoesNotTakeAnswersHoldsNobodyUp(Serving serving) throws Exception {
    String wide = "y".repeat(1_000);
    open(serving, 2, 10, Duration.ofSeconds(1), _ -> wide);
    try (var deaf = new Trader(server);
        var other = new Trader(server)) {
      Thread sender =
          Thread.startVirtualThread(() -> {
            try {
              while (true) {
                deaf.say("\n".repeat(1_000));
              }
            } catch (IOException closed) {
              // as it should be
            }
          });
      for (int i = 0; i < 100; i++) {
        assertThat(other.say("\n").hear()).isEqualTo(wide);
      }
      sender.join();
    }
  }

  @ParameterizedTest
  @EnumSource
  void manyTradersAreServedByFewThreads(Serving serving) throws Exception {
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
    try (var trader = new Trader(server)) {
      for (int i = 0; i < 20; i++) {
        String line = name + " " + i;
        if (!("<" + line + ">").equals(trader.say(line + "\n").hear())) {
          return false;
        }
      }
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aThreadAConnectionStarvesThoseBeyondThePool() throws IOException {
    open(Serving.CONNECTION, 2, 10, LONG);
    try (var third = holding(2)) {
      assertThat(third.say("3\n").isAnsweredWithin(Duration.ofMillis(300))).isFalse();
      assertThat(workers.waiting()).isEqualTo(1);
      assertThat(workers.busy()).isEqualTo(2);
      held.removeFirst().close();
      assertThat(third.hear()).isEqualTo("<3>");
    } finally {
      for (Trader it : held) {
        it.close();
      }
    }
  }

  @Test
  void aThreadARequestServesMoreConnectionsThanItHasThreads() throws IOException {
    open(Serving.REQUEST, 2, 10, LONG);
    try (var third = holding(2)) {
      assertThat(third.say("3\n").hear()).isEqualTo("<3>");
    } finally {
      for (Trader it : held) {
        it.close();
      }
    }
  }

  private final List<Trader> held = new ArrayList<>();

  /// Another connection, where so many are open already and say nothing.
  private Trader holding(int connections) throws IOException {
    for (int i = 0; i < connections; i++) {
      var trader = new Trader(server);
      held.add(trader);
      assertThat(trader.say(i + "\n").hear()).isEqualTo("<" + i + ">");
    }
    return new Trader(server);
  }

  @ParameterizedTest
  @EnumSource
  void anIdleServerTakesNoCpu(Serving serving) throws Exception {
    open(serving, 8, 100, LONG);
    var threads = java.lang.management.ManagementFactory.getThreadMXBean();
    try (var trader = new Trader(server)) {
      trader.say("hello\n").hear();
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
  void aServerThatClosesHangsUp(Serving serving) throws Exception {
    open(serving, 2, 10, LONG);
    try (var trader = new Trader(server)) {
      assertThat(trader.say("hello\n").hear()).isEqualTo("<hello>");
      server.close();
      workers.close();
      assertThat(trader.hear()).isNull();
    }
  }
}
