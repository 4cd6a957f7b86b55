package toystore.exchange.xml;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static toystore.clients.RawClient.framed;
import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import toystore.clients.Conditions;
import toystore.clients.RawClient;
import toystore.exchange.domain.ExchangeRequest;
import toystore.exchange.domain.OpenedOrder.OrderWithTrades;
import toystore.exchange.domain.TradePage;
import toystore.exchange.engine.LimitOrder;
import toystore.exchange.engine.MatchedTrade;
import toystore.exchange.engine.Side;
import toystore.exchange.engine.Symbol;
import toystore.platform.journal.Answer;

@SuppressWarnings("NullAway.Init") // opened by each test
class XmlServerTest {
  private static final String CREATE =
      "<create><account id=\"1\" balance=\"1000\"/>"
          + "<symbol sym=\"SPY\"><account id=\"1\">50</account></symbol></create>";
  private static final String CREATED =
      "<results><created id=\"1\"/><created sym=\"SPY\" id=\"1\"/></results>\n";
  private static final String EMPTY = "<create></create>";
  private static final String NOTHING = "<results></results>\n";
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final Duration SHORT = Duration.ofMillis(200);

  private final InMemoryExchange exchange = new InMemoryExchange();
  private XmlGateway gateway;
  private XmlServer server;

  private static XmlGatewayLimits limits(int connections, Duration idle, Duration keepAlive) {
    return new XmlGatewayLimits(
        connections, idle, keepAlive, SHORT, 100_000, 1_000, LONG, 1 << 22, false);
  }

  private XmlGatewayLimits limits() {
    return limits(1_000, LONG, LONG);
  }

  private void open(XmlGatewayLimits limits) throws IOException {
    open(limits, exchange);
  }

  private void open(XmlGatewayLimits limits, InMemoryExchange behind) throws IOException {
    gateway = new XmlGateway(limits, behind, behind::find);
    server = new XmlServer(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), gateway);
  }

  @AfterEach
  void close() throws IOException {
    server.close();
    assertThat(server.connections()).isZero();
    assertThat(List.of(gateway.memory(), gateway.parsed(), gateway.reads()))
        .as("all buffer memory is released")
        .allMatch(it -> it.used() == 0);
  }

  private String send(String bytes) throws IOException {
    return RawClient.exchangeAll(server.port(), bytes);
  }

  private void assertRefusedWhole(String bytes, String message) throws IOException {
    try (var client = RawClient.patient(server.port())) {
      String answer = client.send(bytes).rest(); // the server closes the connection
      assertThat(answer).isEqualTo(format("<results><error>%s</error></results>\n", message));
    }
    assertThat(exchange.commands()).isEmpty();
  }

  @Test
  void requestsInOneWriteAreAnsweredInOrder() throws IOException {
    open(limits());
    String requests =
        IntStream.rangeClosed(1, 1_000)
            .mapToObj(i -> framed(format("<create><account id=\"%d\" balance=\"1\"/></create>", i)))
            .collect(Collectors.joining());
    String answers =
        IntStream.rangeClosed(1, 1_000)
            .mapToObj(it -> format("<results><created id=\"%d\"/></results>\n", it))
            .collect(Collectors.joining());
    assertThat(send(requests)).isEqualTo(answers);
  }

  @Test
  void packetBoundariesDoNotMatter() throws IOException {
    open(limits());
    var random = new Random(1);
    for (int i = 0; i < 100; i++) {
      byte[] all = (" \r\n" + framed(EMPTY)).repeat(30).getBytes(UTF_8);
      try (var client = RawClient.patient(server.port())) {
        for (int at = 0; at < all.length; ) {
          int length = Math.min(1 + random.nextInt(60), all.length - at);
          client.socket().getOutputStream().write(all, at, length);
          at += length;
        }
        assertThat(client.halfClose().rest()).isEqualTo(NOTHING.repeat(30));
      }
    }
  }

  @Test
  void answerDoesNotWaitForTheRestOfTheNextRequest() throws IOException {
    open(limits());
    try (var client = RawClient.patient(server.port())) {
      String next = framed(EMPTY);
      client.send(framed(CREATE) + next.substring(0, 7));
      assertThat(client.line() + "\n").isEqualTo(CREATED);
      assertThat(client.send(next.substring(7)).line() + "\n").isEqualTo(NOTHING);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"%d\n", "%d\r\n", "  \n\t\r\n%d\n", "00%d\n", "%d \n", "\n\n%d\t\r\n"})
  void whitespaceAroundTheLengthIsSkipped(String line) throws IOException {
    open(limits());
    String request = String.format(Locale.ROOT, line, CREATE.length()) + CREATE;
    assertThat(send(request + request.replace("id=\"1\"", "id=\"2\"") + " \n"))
        .isEqualTo(CREATED + CREATED.replace("id=\"1\"", "id=\"2\""));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "<create>|&lt;create&gt;",
        "GET / HTTP/1.1|GET / HTTP/1.1",
        "-5|-5",
        "+17|+17",
        "0|0",
        "1.5|1.5",
        "12 34|12 34",
        "100001|100001",
        "99999999999999999999|99999999999999999999"
      })
  void lineThatIsNoLengthIsRefused(String line, String quoted) throws IOException {
    open(limits());
    assertRefusedWhole(
        line + "\n",
        "expected a line with the request's length in bytes, 1 to 100000, received &quot;"
            + quoted
            + "?&quot;");
  }

  @Test
  void endlessLineIsRefused() throws IOException {
    open(limits());
    assertRefusedWhole(
        "1".repeat(100),
        "expected a line with the request's length in bytes, 1 to 100000, received &quot;"
            + "1".repeat(40)
            + "…&quot;");
  }

  @Test
  void tooShortALengthIsRefusedWhole() throws IOException {
    open(limits());
    assertRefusedWhole(
        CREATE.length() - 1 + "\n" + CREATE,
        format(
            "malformed request: line 1, column %d: XML document structures must start and end within the same entity.",
            CREATE.length()));
  }

  @Test
  void tooLongALengthIsRefusedOnceTheClientIsSilentOrHalfCloses() throws IOException {
    open(limits());
    String request = CREATE.length() + 2 + "\n" + CREATE;
    String message =
        format(
            "request is incomplete: expected %d bytes, received %d",
            CREATE.length() + 2, CREATE.length());
    assertRefusedWhole(request, message);
    assertThat(send(request)).contains(message);
    assertThat(exchange.commands()).isEmpty();
  }

  @Test
  void tooLongALengthTakesTheBytesOfTheNextRequest() throws IOException {
    open(limits());
    String answer = send(CREATE.length() + 2 + "\n" + CREATE + framed(EMPTY));
    assertThat(answer)
        .startsWith("<results><error>malformed request: ")
        .endsWith(NOTHING.substring(9));
    assertThat(exchange.commands()).isEmpty();
  }

  @Test
  void incompleteLengthLineIsRefused() throws IOException {
    open(limits());
    assertRefusedWhole("17", "length line is incomplete: received &quot;17&quot;");
  }

  @Test
  void requestsBeforeAMalformedOneAreAnsweredAndThoseAfterItAreNot() throws IOException {
    open(limits());
    assertThat(send(framed(CREATE) + framed("<create><a></create>") + framed(CREATE)))
        .isEqualTo(
            CREATED
                + "<results><error>malformed request: line 1, column 12: unexpected element a,"
                + " expected account or symbol</error></results>\n");
    assertThat(exchange.commands()).hasSize(2);
  }

  @Test
  void noBytesAreNoRequest() throws IOException {
    open(limits());
    assertThat(send("")).isEmpty();
    assertThat(send(" \r\n\n")).isEmpty();
  }

  @Test
  void randomBytesDoNoHarm() throws IOException {
    open(limits());
    var random = new Random(2);
    for (int i = 0; i < 200; i++) {
      byte[] noise = new byte[random.nextInt(3_000)];
      random.nextBytes(noise);
      try (var client = RawClient.patient(server.port())) {
        if (random.nextBoolean()) {
          client.send(noise.length + "\n");
        }
        client.socket().getOutputStream().write(noise);
        client.halfClose();
        assertThat(client.rest()).matches("(?s)(<results><error>.*</error></results>\n)?");
      } catch (SocketException refused) {
        // the server closed the connection during the write
      }
    }
    assertThat(exchange.commands()).isEmpty();
    assertThat(send(framed(EMPTY))).isEqualTo(NOTHING);
  }

  @Test
  void lengthLineComesBeforeEachAnswerIfSwitchedOn() throws IOException {
    XmlGatewayLimits off = limits();
    open(
        new XmlGatewayLimits(
            off.connections(),
            off.idle(),
            off.keepAlive(),
            off.silence(),
            off.requestBytes(),
            off.commands(),
            off.deadline(),
            off.bufferBytes(),
            true));
    String error = "<results><error id=\"é\">account id must be 1 to 32 digits</error></results>\n";
    assertThat(send(framed(CREATE) + framed("<create><account id=\"é\" balance=\"1\"/></create>")))
        .isEqualTo(framed(CREATED) + framed(error));
  }

  @Test
  void requestWithMoreCommandsThanMayWaitIsAnsweredInOrder() throws IOException {
    open(limits());
    String children =
        IntStream.rangeClosed(1, 3_000)
            .mapToObj(it -> format("<account id=\"%d\" balance=\"1\"/>", it))
            .collect(Collectors.joining());
    assertThat(send(framed("<create>" + children + "</create>")))
        .isEqualTo(
            format(
                "<results>%s</results>\n",
                children.replace("account", "created").replace(" balance=\"1\"", "")));
  }

  @Test
  void connectionIsClosedAfterSilence() throws IOException {
    open(limits(10, SHORT, LONG));
    try (var silent = RawClient.patient(server.port())) {
      assertThat(silent.rest()).isEmpty();
    }
  }

  @Test
  void clientThatReadsToTheEndGetsItAfterTheKeepAliveTime() throws IOException {
    open(limits(10, LONG, SHORT));
    try (var client = RawClient.patient(server.port())) {
      assertThat(client.send(framed(CREATE)).rest()).isEqualTo(CREATED);
    }
  }

  @Test
  void withoutKeepAliveTheConnectionEndsWithTheAnswerToTheLastReceivedRequest() throws IOException {
    open(limits(10, LONG, Duration.ZERO));
    try (var client = RawClient.patient(server.port())) {
      assertThat(client.send(framed(CREATE) + framed(EMPTY)).rest()).isEqualTo(CREATED + NOTHING);
    }
  }

  @Test
  void connectionsAboveTheMaximumWait() throws IOException {
    open(limits(2, LONG, LONG));
    try (var first = RawClient.patient(server.port());
        var second = RawClient.patient(server.port());
        var third = RawClient.patient(server.port())) {
      third.send(framed(EMPTY));
      assertThat(first.request(EMPTY) + "\n").isEqualTo(NOTHING);
      assertThat(second.request(EMPTY) + "\n").isEqualTo(NOTHING);
      assertThat(server.connections()).isEqualTo(2);
      first.close();
      assertThat(third.line() + "\n").isEqualTo(NOTHING);
    }
  }

  @Test
  void clientThatReadsNothingIsClosedAndBlocksNobody() throws Exception {
    open(limits());
    send(framed(CREATE));
    String queries =
        framed("<transactions id=\"1\">" + "<query id=\"x\"/>".repeat(5_000) + "</transactions>");
    try (var notReading = RawClient.patient(server.port())) {
      Thread sender =
          Thread.startVirtualThread(() -> {
            try {
              while (true) {
                notReading.send(queries);
              }
            } catch (IOException closed) {
              // expected: the server closes the connection
            }
          });
      while (sender.isAlive()) {
        assertThat(send(framed(EMPTY))).isEqualTo(NOTHING);
      }
    }
  }

  @Test
  void slowReaderGetsAllOfALargeAnswer() throws Exception {
    open(limits());
    String request =
        "<transactions id=\"1\">" + "<query id=\"x\"/>".repeat(5_000) + "</transactions>";
    try (var slow = RawClient.patient(server.port())) {
      slow.send(framed(request)).halfClose();
      int length = 0;
      while (slow.socket().getInputStream().read() >= 0) { // a system call a byte
        length++;
      }
      String one =
          "<error id=\"x\">order id must be a plain number with at most 0 decimals and at most"
              + " 9223372036854775807, got &quot;x&quot;</error>";
      assertThat(length).isEqualTo(5_000 * one.length() + NOTHING.length());
    }
  }

  /// A query sees the commands before it, and none of those after it.
  @Test
  void queryIsReadBetweenTheCommandsAroundIt() throws Exception {
    var gate = new CountDownLatch(1);
    var held = new InMemoryExchange(gate);
    open(limits(), held);
    String order = "<order sym=\"SPY\" amount=\"1\" limit=\"1\"/>";
    try (var client = RawClient.patient(server.port())) {
      client.send(
          framed(CREATE)
              + framed(
                  format(
                      "<transactions id=\"1\">%1$s<query id=\"1\"/><cancel id=\"1\"/>%1$s</transactions>",
                      order)));
      Conditions.await(() -> held.commands().size() == 3);
      gate.countDown();
      String opened = "<opened sym=\"SPY\" amount=\"1\" limit=\"1\" id=\"%d\"/>";
      assertThat(client.line() + "\n").isEqualTo(CREATED);
      assertThat(client.line())
          .isEqualTo(
              format(
                  "<results>%s<status id=\"1\"><open shares=\"1\"/></status><canceled id=\"1\"><canceled shares=\"1\" time=\"1700000000\"/></canceled>%s</results>",
                  String.format(Locale.ROOT, opened, 1), String.format(Locale.ROOT, opened, 2)));
      assertThat(held.commands()).hasSize(5);
    }
  }

  /// 40 connections send 9,000 queries each, of orders with 1,000 executions, and read nothing.
  @Test
  void resultsOfQueriesTakeBoundedMemoryAndOthersAreAnswered() throws Exception {
    var limits = limits();
    gateway = new XmlGateway(limits, exchange, XmlServerTest::largeOrder);
    server = new XmlServer(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), gateway);
    String queries =
        framed("<transactions id=\"1\">" + "<query id=\"1\"/>".repeat(9_000) + "</transactions>");
    var clients = new ArrayList<RawClient>();
    try {
      for (int i = 0; i < 40; i++) {
        clients.add(RawClient.patient(server.port()));
        clients.getLast().send(queries);
      }
      for (int i = 0; i < 20; i++) {
        assertThat(send(framed(EMPTY))).isEqualTo(NOTHING);
        assertThat(gateway.memory().used() + gateway.parsed().used() + gateway.reads().used())
            .isLessThan(4 * limits.bufferBytes());
      }
      assertThat(send(framed("<transactions id=\"1\"><query id=\"1\"/></transactions>")))
          .endsWith("<omitted executions=\"19000\"/></status></results>\n");
    } finally {
      for (RawClient client : clients) {
        client.close();
      }
    }
  }

  private static CompletionStage<Answer<OrderWithTrades>> largeOrder(
      ExchangeRequest.FindOrder query) {
    var spy = new Symbol(1, "SPY");
    var trades =
        LongStream.rangeClosed(1, 1_000)
            .mapToObj(it -> new MatchedTrade(it, spy, 1, 1, 1, it, 0))
            .toList();
    var order = new LimitOrder(query.order(), 1, spy, Side.BUY, 9_000, 1, 8_000, 0, 0, 0);
    return CompletableFuture.completedFuture(
        new Answer.Done<>(new OrderWithTrades(order, new TradePage(trades, 19_000))));
  }

  @Test
  void requestsThatAreLargerThanTheBufferMemoryAreRefused() throws IOException {
    open(new XmlGatewayLimits(10, LONG, LONG, SHORT, 100_000, 1_000, LONG, 10_000, false));
    assertRefusedWhole(
        framed("<create>" + " ".repeat(50_000) + "</create>"),
        "server is overloaded; the request was not processed; retry later");
    assertThat(send(framed(EMPTY))).isEqualTo(NOTHING);
  }

  @Test
  void closeAnswersWhatIsExecutedAndClosesIdleConnections() throws Exception {
    var gate = new CountDownLatch(1);
    var held = new InMemoryExchange(gate);
    open(limits(), held);
    try (var idle = RawClient.patient(server.port());
        var executing = RawClient.patient(server.port())) {
      executing.send(framed(CREATE));
      Conditions.await(() -> held.commands().size() == 2 && server.connections() == 2);
      Thread closing =
          Thread.startVirtualThread(() -> {
            try {
              server.close();
            } catch (IOException e) {
              throw new IllegalStateException(e);
            }
          });
      assertThat(idle.rest()).isEmpty();
      gate.countDown();
      assertThat(executing.rest()).isEqualTo(CREATED);
      closing.join();
    }
  }

  @ParameterizedTest
  @CsvSource({"HALF_CLOSED, 2000", "READ_TO_END, 500", "KEPT, 2000"})
  void burstOfConnectionsWaitsAndIsAnsweredWhole(ConnectionBurst.Style style, int count)
      throws Exception {
    // the server ends READ_TO_END connections after the keep-alive time; other clients close theirs
    open(limits(100, LONG, style == ConnectionBurst.Style.READ_TO_END ? SHORT : LONG));
    assertThat(ConnectionBurst.answered(server.port(), style, 1, count)).isEqualTo(count);
  }

  @Test
  void portIsFreeAfterClose() throws IOException {
    open(limits());
    int port = server.port();
    try (var client = RawClient.patient(port)) {
      assertThat(client.request(EMPTY) + "\n").isEqualTo(NOTHING);
      server.close();
      gateway = new XmlGateway(limits(), exchange, exchange::find);
      server =
          new XmlServer(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), gateway);
      assertThat(send(framed(EMPTY))).isEqualTo(NOTHING);
    }
  }
}
