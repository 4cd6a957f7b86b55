package toystore.clients;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Locale;

/// A TCP connection on which a test sends exact bytes: requests of HTTP, lines of the line
/// protocol, or documents for the exchange's XML gateway. It does not retry, and the test can close
/// it after any byte. One thread.
public final class RawClient implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final Duration LONG_TIMEOUT = Duration.ofSeconds(20);
  private static final String END_OF_HEAD = "\r\n\r\n";

  private final Socket socket = new Socket();
  private final InputStream in;

  public RawClient(int port) throws IOException {
    this(port, TIMEOUT);
  }

  public RawClient(int port, Duration timeout) throws IOException {
    this("127.0.0.1", port, timeout);
  }

  /// @param timeout the timeout of the connect and of each read
  public RawClient(String host, int port, Duration timeout) throws IOException {
    int millis = (int) timeout.toMillis();
    try {
      socket.connect(new InetSocketAddress(host, port), millis);
      socket.setSoTimeout(millis);
      socket.setTcpNoDelay(true);
      in = new BufferedInputStream(socket.getInputStream());
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /// A client of a server that lets some connections wait.
  public static RawClient patient(int port) throws IOException {
    return new RawClient(port, LONG_TIMEOUT);
  }

  /// Sends a request and returns all bytes until the server closes the connection.
  public static String exchange(int port, String request) throws IOException {
    try (var client = new RawClient(port)) {
      return client.send(request).rest();
    }
  }

  /// Sends all requests on a patient connection, half-closes it, and returns all answers.
  public static String exchangeAll(int port, String requests) throws IOException {
    try (var client = patient(port)) {
      return client.send(requests).halfClose().rest();
    }
  }

  /// An XML document with its length line.
  public static String framed(String xml) {
    return xml.getBytes(UTF_8).length + "\n" + xml;
  }

  public Socket socket() {
    return socket;
  }

  public RawClient send(String text) throws IOException {
    return send(text.getBytes(UTF_8));
  }

  public RawClient send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    return this;
  }

  /// Sends an XML document and returns its answer without the line feed.
  public String request(String xml) throws IOException {
    return send(framed(xml)).line();
  }

  public RawClient halfClose() throws IOException {
    socket.shutdownOutput();
    return this;
  }

  /// Waits for the next response. Returns false if the server has closed the connection instead.
  public boolean awaitAnswer() throws IOException {
    in.mark(1);
    boolean begun = in.read() >= 0;
    in.reset();
    return begun;
  }

  /// Returns whether the next response or the end of the connection arrives within this time.
  public boolean isAnsweredWithin(Duration time) throws IOException {
    int timeout = socket.getSoTimeout();
    socket.setSoTimeout((int) time.toMillis());
    try {
      awaitAnswer();
      return true;
    } catch (SocketTimeoutException e) {
      return false;
    } finally {
      socket.setSoTimeout(timeout);
    }
  }

  /// Returns the next line without its line feed, or what arrived before the end of the stream.
  public String line() throws IOException {
    String line = until("\n");
    return line.endsWith("\n") ? line.substring(0, line.length() - 1) : line;
  }

  /// Returns the next HTTP response: status line, headers and a body of the given Content-Length.
  public String answer() throws IOException {
    String head = until(END_OF_HEAD);
    String length = head.endsWith(END_OF_HEAD) ? header(head, "content-length") : "";
    if (length.isEmpty()) {
      return head;
    }
    byte[] body = in.readNBytes(Integer.parseInt(length));
    if (body.length < Integer.parseInt(length)) {
      throw new EOFException(
          "the response ended after " + body.length + " of " + length + " bytes");
    }
    return head + new String(body, UTF_8);
  }

  private String until(String end) throws IOException {
    var read = new StringBuilder(); // of ISO 8859-1
    while (read.length() < end.length() || read.indexOf(end, read.length() - end.length()) < 0) {
      int next = in.read();
      if (next < 0) {
        break;
      }
      read.append((char) next);
    }
    return new String(read.toString().getBytes(ISO_8859_1), UTF_8);
  }

  /// A header of a response; empty: it has none.
  ///
  /// @param head up to the empty line
  /// @param name in lower case
  public static String header(String head, String name) {
    String start = "\r\n" + name + ":";
    int at = head.toLowerCase(Locale.ROOT).indexOf(start);
    return at < 0 ? "" : head.substring(at + start.length(), head.indexOf('\r', at + 2)).strip();
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
  public void close() {
    try {
      socket.close();
    } catch (IOException gone) {
      // nothing is lost: no response is awaited
    }
  }
}
