package toystore.bazaarlab;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Random;
import java.util.regex.Pattern;
import toystore.gatling.environment.ShippedStocks;

/// Looks up stocks over the line protocol.
final class LineCaller implements Caller {
  private static final Duration TIMEOUT = Duration.ofSeconds(60); // it may wait for a thread
  private static final Pattern PRICE = Pattern.compile("\\d+\\.\\d{1,2}");

  private final Socket socket = new Socket();
  private final BufferedReader answers;
  private final Random random;

  private LineCaller(int port, Random random) throws IOException {
    this.random = random;
    socket.setTcpNoDelay(true);
    socket.setSoTimeout((int) TIMEOUT.toMillis());
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    answers = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
  }

  /// @param random chooses the stocks
  static LineCaller connect(int port, Random random) throws IOException {
    return new LineCaller(port, random);
  }

  @Override
  public Answer call(Runnable onSent) throws IOException {
    String request = "Lookup," + ShippedStocks.any(random);
    byte[] line = (request + "\n").getBytes(UTF_8);
    long startNanos = System.nanoTime();
    socket.getOutputStream().write(line);
    onSent.run();
    String answer = answers.readLine();
    long endNanos = System.nanoTime();
    if (answer == null) {
      throw new WrongResponseException(request, "a response", "a closed connection");
    }
    if (!PRICE.matcher(answer).matches()) {
      throw new WrongResponseException(request, "a price", answer);
    }
    return new Answer(GrpcCallKind.LOOKUP.label(), startNanos, endNanos, "");
  }

  @Override
  public boolean hasUnreadAnswer() {
    try {
      return socket.getInputStream().available() > 0;
    } catch (IOException gone) {
      return false;
    }
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
