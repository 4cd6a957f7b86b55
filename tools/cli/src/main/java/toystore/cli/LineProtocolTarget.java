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
import java.util.function.Supplier;
import java.util.regex.Pattern;
import toystore.cli.ResponseCheck.Verdict;

/// The StockBazaar service over the line protocol, with one connection per client.
///
/// @param at the address of the line protocol
record LineProtocolTarget(HostAndPort at) implements LoadTarget {
  private static final Duration DEADLINE =
      Duration.ofSeconds(60); // a connection may wait for a thread of the server's pool
  private static final List<String> STOCKS = List.of("GameStart", "FishCo", "BoarCo", "MenhirCo");
  private static final Pattern PRICE = Pattern.compile("\\d+\\.\\d{1,2}");

  /// The stocks of the shipped catalog: the protocol has no request that lists them.
  @Override
  public List<String> products(ClosedLoopLoad.Kind kind) {
    return STOCKS;
  }

  @Override
  public Client client(ClosedLoopLoad.Kind kind) throws IOException {
    if (kind != ClosedLoopLoad.Kind.LOOKUP) {
      throw CommandRefusal.usage(String.format(Locale.ROOT, "--kind for %s must be lookup", at));
    }
    return new LineLoadClient(at);
  }

  private static final class LineLoadClient implements Client {
    private final Socket socket = new Socket();
    private final BufferedReader answers;

    LineLoadClient(HostAndPort at) throws IOException {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout((int) DEADLINE.toMillis());
      try {
        socket.connect(new InetSocketAddress(at.host(), at.port()), (int) DEADLINE.toMillis());
      } catch (IOException away) {
        socket.close();
        throw new CommandRefusal(
            String.format(
                Locale.ROOT,
                "cannot connect to the line protocol at %s (%s); to enable it, start the catalog with --toystore.catalog.line-port",
                at,
                away));
      }
      answers = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
    }

    @Override
    public Supplier<Verdict> ask(String product) throws IOException {
      socket.getOutputStream().write(("Lookup," + product + "\n").getBytes(UTF_8));
      var answer = answers.readLine();
      if (answer == null) {
        throw new EOFException("connection closed before the response");
      }
      return () -> verdict(answer);
    }

    private static Verdict verdict(String answer) {
      if (answer.equals("0")) {
        return new Verdict.Refused("suspended");
      }
      return PRICE.matcher(answer).matches()
          ? new Verdict.Correct()
          : new Verdict.Wrong("price missing", answer);
    }

    @Override
    public void close() {
      try {
        socket.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
