package toystore.clients;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.EOFException;
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

  private static final String END = "\r\n\r\n";

  private final Socket socket = new Socket();
  private final InputStream in;

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
      in = new BufferedInputStream(socket.getInputStream());
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

  /// Waits for the next response. Returns false if the server has closed the connection instead.
  public boolean awaitAnswer() throws IOException {
    in.mark(1);
    boolean begun = in.read() >= 0;
    in.reset();
    return begun;
  }

  /// Returns the next response: status line, headers and a body of the given Content-Length.
  public String answer() throws IOException {
    var head = new StringBuilder();
    while (head.length() < END.length() || head.indexOf(END, head.length() - END.length()) < 0) {
      int c = in.read();
      if (c < 0) {
        return head.toString();
      }
      head.append((char) c);
    }
    int length = length(head.toString());
    byte[] body = in.readNBytes(length);
    if (body.length < length) {
      throw new EOFException(
          "the response ended after " + body.length + " of " + length + " bytes");
    }
    return head + new String(body, UTF_8);
  }

  public boolean isAnswered() throws IOException {
    return in.available() > 0;
  }

  /// Returns all bytes until the server closes the connection. Fails only if a pause is longer than
  /// the timeout.
  public String rest() throws IOException {
    return new String(in.readAllBytes(), UTF_8);
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
