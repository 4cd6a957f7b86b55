package toystore.cli.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import toystore.cli.command.CommandRefusal;

/// A TCP connection with a line for each answer. One thread.
final class LineConnection implements AutoCloseable {
  private static final int TIMEOUT_MILLIS = 60_000; // it may wait for others at the server
  private static final Duration MAX_IDLE = Duration.ofSeconds(3); // the exchange closes after 5 s

  private final HostAndPort at;
  private Socket socket = new Socket();
  private BufferedReader answers;
  private long used;

  /// @param server what listens there
  /// @param advice what to do if nothing does
  /// @throws CommandRefusal if nothing listens there
  LineConnection(HostAndPort at, String server, String advice) {
    this.at = at;
    try {
      answers = connect();
    } catch (IOException away) {
      throw new CommandRefusal("cannot connect to %s at %s (%s); %s", server, at, away, advice);
    }
  }

  private BufferedReader connect() throws IOException {
    socket.close();
    socket = new Socket();
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(TIMEOUT_MILLIS);
    try {
      socket.connect(new InetSocketAddress(at.host(), at.port()), TIMEOUT_MILLIS);
    } catch (IOException away) {
      socket.close();
      throw away;
    }
    used = System.nanoTime();
    return new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
  }

  /// Sends a request and returns the answer without the line feed. Connects again if the server may
  /// have closed the connection, because it was idle.
  String request(String text) throws IOException {
    if (System.nanoTime() - used > MAX_IDLE.toNanos()) {
      answers = connect();
    }
    socket.getOutputStream().write(text.getBytes(UTF_8));
    var answer = answers.readLine();
    if (answer == null) {
      throw new EOFException("connection closed before the response");
    }
    used = System.nanoTime();
    return answer;
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
