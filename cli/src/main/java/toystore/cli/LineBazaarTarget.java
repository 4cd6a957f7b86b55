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
import java.util.function.Supplier;
import java.util.regex.Pattern;
import toystore.cli.ResponseCheck.Verdict;

/// The stock bazaar over its line protocol, a connection a client.
///
/// @param at where it listens
record LineBazaarTarget(HostAndPort at) implements LoadTarget {
  private static final Duration DEADLINE = Duration.ofSeconds(60); // it may wait for a thread
  private static final List<String> STOCKS = List.of("GameStart", "FishCo", "BoarCo", "MenhirCo");
  private static final Pattern PRICE = Pattern.compile("\\d+\\.\\d{1,2}");

  /// Those that the shipped catalog has: the protocol lists none.
  @Override
  public List<String> products(boolean inStock) {
    return STOCKS;
  }

  @Override
  public Client client(ClosedLoopLoad.Kind kind) throws IOException {
    if (kind != ClosedLoopLoad.Kind.LOOKUP) {
      throw CommandRefused.usage("--kind for %s must be lookup".formatted(at));
    }
    return new Asking(at);
  }

  private static final class Asking implements Client {
    private final Socket socket = new Socket();
    private final BufferedReader answers;

    Asking(HostAndPort at) throws IOException {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout((int) DEADLINE.toMillis());
      try {
        socket.connect(new InetSocketAddress(at.host(), at.port()), (int) DEADLINE.toMillis());
      } catch (IOException away) {
        socket.close();
        throw new CommandRefused(
            "cannot connect to the line protocol at %s: %s".formatted(at, away));
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
          ? new Verdict.Right()
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
