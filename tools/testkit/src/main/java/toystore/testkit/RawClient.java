package toystore.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Locale;

/// An HTTP connection on which a test sends exact bytes. It does not retry, and the test can close
/// it after any byte. One thread.
public final class RawClient implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private final Socket socket = new Socket();

  public RawClient(int port) throws IOException {
    this(port, TIMEOUT);
  }

  /// @param timeout the timeout of the connect and of each read
  public RawClient(int port, Duration timeout) throws IOException {
    int millis = (int) timeout.toMillis();
    try {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), millis);
      socket.setSoTimeout(millis);
      socket.setTcpNoDelay(true);
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /// Sends a request and returns all bytes until the server closes the connection.
  public static String exchange(int port, String request) throws IOException {
    try (var client = new RawClient(port)) {
      return client.say(request).rest();
    }
  }

  public RawClient say(String text) throws IOException {
    return say(text.getBytes(UTF_8));
  }

  public RawClient say(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    return this;
  }

  /// Returns the next response: status line, headers and a body of the given Content-Length.
  public String answer() throws IOException {
    InputStream in = socket.getInputStream();
    var head = new ByteArrayOutputStream();
    while (!head.toString(UTF_8).endsWith("\r\n\r\n")) {
      int c = in.read();
      if (c < 0) {
        return head.toString(UTF_8);
      }
      head.write(c);
    }
    String text = head.toString(UTF_8);
    return text + new String(in.readNBytes(length(text)), UTF_8);
  }

  public boolean isAnswered() throws IOException {
    return socket.getInputStream().available() > 0;
  }

  /// Returns all bytes until the server closes the connection. Fails only if a pause is longer than
  /// the timeout.
  public String rest() throws IOException {
    return new String(socket.getInputStream().readAllBytes(), UTF_8);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  private static int length(String head) {
    String header = "content-length:";
    int at = head.toLowerCase(Locale.ROOT).indexOf(header);
    return at < 0
        ? 0
        : Integer.parseInt(head.substring(at + header.length(), head.indexOf('\r', at)).strip());
  }
}
