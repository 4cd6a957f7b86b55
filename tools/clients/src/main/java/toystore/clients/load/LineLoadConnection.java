package toystore.clients.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.EOFException;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.regex.Pattern;
import toystore.clients.RawClient;

/// A protocol whose responses are lines: that of the stock bazaar, in which `Lookup,GameStart` is
/// answered by the price, and that of the exchange, in which a document is answered by `<results>`.
/// One thread.
final class LineLoadConnection implements LoadConnection {
  private static final Duration TIMEOUT = Duration.ofSeconds(60); // it may wait for a thread

  /// What a correct response of the stock bazaar is.
  static final Pattern PRICE = Pattern.compile("\\d+\\.\\d{1,2}");

  /// What a correct response of the exchange is.
  static final Pattern RESULTS = Pattern.compile("<results>(?!.*<error).+</results>");

  private final RawClient client;
  private final Pattern correct;

  LineLoadConnection(URI url, Pattern correct) throws IOException {
    this.correct = correct;
    client = new RawClient(url.getHost(), url.getPort(), TIMEOUT);
  }

  @Override
  public void write(CallSource.Call call) throws IOException {
    client.send(call.bytes());
  }

  @Override
  public Response read() throws IOException {
    String line = client.line();
    if (line.isEmpty()) {
      throw new EOFException("connection ended before a response");
    }
    return new Response(correct.matcher(line).matches() ? 0 : 1, line.getBytes(UTF_8));
  }

  @Override
  public void close() {
    client.close();
  }
}
