package toystore.clients.load;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import toystore.clients.load.ClosedLoop.Order;

/// The loops against a server whose delays the test decides.
class LoadLoopsTest {
  private static final Duration NONE = Duration.ZERO;

  @Test
  void askedNumberOfCallsIsSent() throws Exception {
    var recorder = new CallRecorder();
    try (var server = LoadTestServer.numbering(_ -> {});
        var loop = new ClosedLoop(3, 1)) {
      loop.callCount(server.source(), 100, recorder);
      assertThat(server.answered()).isEqualTo(300);
    }
    assertThat(recorder.latencies().getTotalCount()).isEqualTo(300);
    assertThat(recorder.failures()).isZero();
  }

  @Test
  void callsOfTheSettlingAreNotRecorded() throws Exception {
    var recorder = new CallRecorder();
    var begun = new CountDownLatch(1);
    try (var server = LoadTestServer.numbering(_ -> {});
        var loop = new ClosedLoop(2, 1)) {
      var half = Duration.ofMillis(200);
      double seconds =
          loop.callFor(
              Order.IN_TURNS,
              List.of(server.source()),
              half,
              half,
              List.of(recorder),
              begun::countDown);
      assertThat(seconds).isGreaterThanOrEqualTo(0.2);
      assertThat(recorder.latencies().getTotalCount()).isPositive().isLessThan(server.answered());
    }
    assertThat(begun.getCount()).isZero();
  }

  @Test
  void kindsOfACellHaveTheirClients() throws Exception {
    var recorders = List.of(new CallRecorder(), new CallRecorder());
    try (var quick = LoadTestServer.numbering(_ -> {});
        var stalled = LoadTestServer.numbering(_ -> LockSupport.parkNanos(400_000_000));
        var loop = new ClosedLoop(3, 1)) {
      var kinds = List.of(quick.source(), stalled.source());
      loop.callFor(Order.APART, kinds, NONE, Duration.ofMillis(300), recorders, () -> {});
      assertThat(stalled.answered()).isEqualTo(1); // of one client, the others do not wait for it
    }
    assertThat(recorders.getFirst().latencies().getTotalCount()).isGreaterThan(10);
    assertThat(recorders.getLast().latencies().getTotalCount()).isEqualTo(1);
  }

  @Test
  void repeatedOrderNumberIsAnError() throws Exception {
    var recorder = new CallRecorder();
    try (var server = LoadTestServer.numbering(_ -> {})) {
      CallSource source = server.source();
      try (var loop = new ClosedLoop(1, 1)) {
        loop.callCount(source, 5, recorder);
      }
      server.restartNumbers();
      try (var loop = new ClosedLoop(1, 1)) {
        loop.callCount(source, 1, recorder);
      }
    }
    assertThat(recorder.failures()).isEqualTo(1);
    assertThat(recorder.firstError()).isEqualTo("number was returned twice: {\"number\":0}");
  }

  /// The server serves one connection at a time, until it is closed.
  @Test
  void clientThatIsNeverServedIsRecorded() throws Exception {
    var recorder = new CallRecorder();
    try (var server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        var loop = new ClosedLoop(2, 1)) {
      Thread.startVirtualThread(() -> serveLines(server));
      var time = Duration.ofMillis(200);
      loop.callFor(
          Order.IN_TURNS, List.of(lookup(server)), time, time, List.of(recorder), () -> {});
    }
    assertThat(recorder.firstResponseMicros()).hasSize(2);
    assertThat(recorder.firstResponseMicros().getLast()).isGreaterThan(300_000);
    assertThat(recorder.firstError()).isNull();
    assertThat(recorder.latencies().getCountBetweenValues(0, 150_000)).isPositive();
    assertThat(recorder.latencies().getCountBetweenValues(300_000, 60_000_000)).isEqualTo(1);
  }

  /// In a burst a client closes its connection after its response, so that the next one is served.
  @Test
  void clientsOfABurstWaitForAConnection() throws Exception {
    var recorder = new CallRecorder();
    var begun = new CountDownLatch(1);
    try (var server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        var loop = new ClosedLoop(8, 1)) {
      Thread.startVirtualThread(() -> serveLines(server));
      loop.callAtOnce(lookup(server), recorder, begun::countDown);
    }
    assertThat(begun.getCount()).isZero();
    assertThat(recorder.firstError()).isNull();
    assertThat(recorder.latencies().getTotalCount()).isEqualTo(8);
  }

  private static CallSource lookup(ServerSocket server) {
    var lookup =
        new Scenario.Kind(
            "",
            "Lookup,{stock}",
            Map.of(),
            null,
            Scenario.Check.of(0),
            "line://127.0.0.1:" + server.getLocalPort(),
            null);
    var scenario = new Scenario(Map.of("lookup", lookup), Map.of("stock", List.of("FishCo")));
    return new CallSource(URI.create("http://127.0.0.1:1"), scenario, "lookup");
  }

  private static void serveLines(ServerSocket server) {
    while (!server.isClosed()) {
      try (Socket client = server.accept()) {
        var lines = new BufferedReader(new InputStreamReader(client.getInputStream(), UTF_8));
        while (lines.readLine() != null) {
          client.getOutputStream().write("12.50\n".getBytes(UTF_8));
        }
      } catch (IOException closed) {
        // the next client
      }
    }
  }

  /// The server stalls for 300 ms; a closed loop would see one slow call.
  @Test
  void openLoopCountsTheWaitForAStalledServer() throws Exception {
    var recorder = new CallRecorder();
    var stalled = new CountDownLatch(1);
    try (var server =
            LoadTestServer.numbering(number -> {
              if (number >= 100 && number < 130) {
                await(stalled);
              }
            });
        var loop = new OpenLoop(server.source(), 7)) {
      Thread.ofVirtual()
          .start(() -> {
            while (server.answered() < 130) {
              Thread.onSpinWait();
            }
            stalled.countDown();
          });
      OpenLoop.Course course = loop.call(100, NONE, Duration.ofSeconds(2), recorder, () -> {});
      assertThat(course.sent()).isBetween(150L, 250L);
      assertThat(recorder.latencies().getTotalCount()).isEqualTo(course.sent());
    }
    // 30 requests arrive in about 0.3 s, and the first of them waits for the last
    assertThat(recorder.latencies().getMaxValue()).isGreaterThan(100_000);
    assertThat(recorder.latencies().getCountBetweenValues(20_000, 60_000_000)).isGreaterThan(15);
    assertThat(recorder.failures()).isZero();
  }

  @Test
  void latenessOfTheSenderIsRecorded() throws Exception {
    var recorder = new CallRecorder();
    LongConsumer late = time -> OpenLoop.waitUntil(time + 3_000_000);
    try (var server = LoadTestServer.numbering(_ -> {});
        var loop = new OpenLoop(server.source(), 7, late)) {
      OpenLoop.Course course = loop.call(100, NONE, Duration.ofSeconds(1), recorder, () -> {});
      assertThat(recorder.lateness().getTotalCount()).isEqualTo(course.sent());
    }
    assertThat(recorder.lateness().getMinValue()).isGreaterThanOrEqualTo(2_990);
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
