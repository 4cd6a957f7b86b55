package toystore.clients.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.regex.Pattern;

/// A protocol whose responses are lines: that of the stock bazaar, in which `Lookup,GameStart` is
/// answered by the price, and that of the exchange, in which a document is answered by `<results>`.
/// One thread.
final class LineLoadConnection implements LoadConnection {
  private static final Duration TIMEOUT = Duration.ofSeconds(60); // it may wait for a thread

  /// What a correct response of the stock bazaar is.
  static final Pattern PRICE = Pattern.compile("\\d+\\.\\d{1,2}");

  /// What a correct response of the exchange is.
  static final Pattern RESULTS = Pattern.compile("<results>(?!.*<error).+</results>");

  private final Socket socket;
  private final Pattern correct;
  private final BufferedReader answers;

  LineLoadConnection(URI url, Pattern correct) throws IOException {
    this.correct = correct;
    socket = connect(url.getHost(), url.getPort(), TIMEOUT);
    answers = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
  }

  /// A TCP connection.
  ///
  /// @param timeout of connecting and of each read
  static Socket connect(String host, int port, Duration timeout) throws IOException {
    var socket = new Socket();
    try {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout((int) timeout.toMillis());
      socket.connect(new InetSocketAddress(host, port), (int) timeout.toMillis());
      return socket;
    } catch (IOException refused) {
      close(socket);
      throw refused;
    }
  }

  @Override
  public void write(CallSource.Call call) throws IOException {
    socket.getOutputStream().write(call.bytes());
  }

  @Override
  public Response read() throws IOException {
    String line = answers.readLine();
    if (line == null) {
      throw new EOFException("connection ended before a response");
    }
    return new Response(correct.matcher(line).matches() ? 0 : 1, line.getBytes(UTF_8));
  }

  @Override
  public void close() {
    close(socket);
  }

  static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException gone) {
      // nothing is lost: no response is awaited
    }
  }
}
