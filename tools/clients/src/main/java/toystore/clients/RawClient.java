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

  private static final String NEW_LINE = "\r\n";

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

  /// Returns the next response: status line, headers, and the body, of the given Content-Length or
  /// in chunks.
  public String answer() throws IOException {
    var head = new StringBuilder();
    String line = line();
    for (; line.length() > NEW_LINE.length(); line = line()) {
      head.append(line);
    }
    head.append(line);
    if (!line.equals(NEW_LINE)) {
      return head.toString(); // the connection has ended
    }
    boolean chunked = header(head.toString(), "transfer-encoding").equals("chunked");
    String length = header(head.toString(), "content-length");
    return head + (chunked ? chunks() : bytes(length.isEmpty() ? 0 : Integer.parseInt(length)));
  }

  private String chunks() throws IOException {
    var body = new StringBuilder();
    int size;
    do {
      size = Integer.parseInt(line().strip(), 16);
      body.append(bytes(size));
      line();
    } while (size > 0);
    return body.toString();
  }

  private String bytes(int length) throws IOException {
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException(
          "the response ended after " + bytes.length + " of " + length + " bytes");
    }
    return new String(bytes, UTF_8);
  }

  /// The next line with its end; less at the end of the connection.
  private String line() throws IOException {
    var line = new StringBuilder();
    int c;
    do {
      c = in.read();
      if (c >= 0) {
        line.append((char) c);
      }
    } while (c >= 0 && c != '\n');
    return line.toString();
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

  /// The value of a header; empty if there is none.
  private static String header(String head, String name) {
    String before = "\n" + name + ":";
    int at = head.toLowerCase(Locale.ROOT).indexOf(before);
    return at < 0
        ? ""
        : head.substring(at + before.length(), head.indexOf('\r', at + before.length())).strip();
  }
}
