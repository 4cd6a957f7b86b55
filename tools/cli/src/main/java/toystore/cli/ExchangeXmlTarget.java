package toystore.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import toystore.cli.ExchangeLoadTarget.Trader;
import toystore.cli.ResponseCheck.Verdict;

/// The exchange over XML and TCP as a target: a request is an order. Each client has an account and
/// a connection, which it keeps. Any thread.
final class ExchangeXmlTarget implements LoadTarget {
  private static final Duration DEADLINE =
      Duration.ofSeconds(60); // a connection may wait for others
  private static final Duration IDLE = Duration.ofSeconds(3); // the gateway closes after 5 s

  private final HostAndPort at;
  private final Queue<Trader> traders = new ConcurrentLinkedQueue<>();

  private ExchangeXmlTarget(HostAndPort at) {
    this.at = at;
  }

  /// Creates the accounts.
  static ExchangeXmlTarget prepare(HostAndPort at, int clients) throws IOException {
    var target = new ExchangeXmlTarget(at);
    var run = ThreadLocalRandom.current().nextLong(100_000_000_000L, 1_000_000_000_000L);
    for (var number = 0; number < clients; number++) {
      var account = String.format(Locale.ROOT, "%d%04d", run, number);
      var trader = Trader.of(account, "L" + run + "x", number);
      try (var connection = new XmlTradingClient(trader, at, target.traders)) {
        var answer =
            connection.request(
                String.format(
                    Locale.ROOT,
                    "<create><account id=\"%s\" balance=\"%d\"/><symbol sym=\"%s\"><account id=\"%s\">%d</account></symbol></create>",
                    account,
                    ExchangeLoadTarget.PLENTY,
                    trader.symbol(),
                    account,
                    ExchangeLoadTarget.PLENTY));
        if (answer.contains("<error")) {
          throw new CommandRefusal("cannot prepare the load: " + ResponseCheck.shortened(answer));
        }
      }
    }
    return target;
  }

  /// Each client trades its own symbol.
  @Override
  public List<String> products(ClosedLoopLoad.Kind kind) {
    return List.of("");
  }

  @Override
  public Client client(ClosedLoopLoad.Kind kind) throws IOException {
    return new XmlTradingClient(traders.remove(), at, traders);
  }

  private static final class XmlTradingClient implements Client {
    private final Trader trader;
    private final HostAndPort at;
    private final Queue<Trader> traders;
    private final ResponseCheck answers = new ResponseCheck();
    private Socket socket = new Socket();
    private BufferedReader results;
    private long used;
    private boolean sellNext;

    /// @param traders receives the trader when this client is closed
    XmlTradingClient(Trader trader, HostAndPort at, Queue<Trader> traders) throws IOException {
      this.trader = trader;
      this.at = at;
      this.traders = traders;
      results = connect();
    }

    private BufferedReader connect() throws IOException {
      socket.close();
      socket = new Socket();
      socket.setTcpNoDelay(true);
      socket.setSoTimeout((int) DEADLINE.toMillis());
      try {
        socket.connect(new InetSocketAddress(at.host(), at.port()), (int) DEADLINE.toMillis());
      } catch (IOException away) {
        throw new CommandRefusal(
            String.format(
                Locale.ROOT,
                "cannot connect to the exchange's XML port at %s (%s); start one with ./toystore up, or set --url",
                at,
                away));
      }
      used = System.nanoTime();
      return new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
    }

    String request(String xml) throws IOException {
      if (System.nanoTime() - used > IDLE.toNanos()) {
        results = connect();
      }
      var bytes = xml.getBytes(UTF_8);
      socket.getOutputStream().write((bytes.length + "\n" + xml).getBytes(UTF_8));
      var answer = results.readLine();
      if (answer == null) {
        throw new EOFException("connection closed before the response");
      }
      used = System.nanoTime();
      return answer;
    }

    @Override
    public Supplier<Verdict> ask(String product) throws IOException {
      var order =
          String.format(
              Locale.ROOT,
              "sym=\"%s\" amount=\"%d\" limit=\"%s\"",
              trader.symbol(),
              sellNext ? -1 : 1,
              ExchangeLoadTarget.LIMIT);
      sellNext = !sellNext;
      var answer =
          request(
              String.format(
                  Locale.ROOT,
                  "<transactions id=\"%s\"><order %s/></transactions>",
                  trader.account(),
                  order));
      return () -> check(order, answer);
    }

    private Verdict check(String order, String answer) {
      var opened =
          Pattern.compile(
                  "<results><opened " + Pattern.quote(order) + " id=\"(\\d{1,18})\"/></results>")
              .matcher(answer);
      return opened.matches()
          ? answers.growing("id", Long.parseLong(opened.group(1)), answer)
          : new Verdict.Wrong("response is not the order", ResponseCheck.shortened(answer));
    }

    @Override
    public void close() {
      traders.add(trader);
      try {
        socket.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
