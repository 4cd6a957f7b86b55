package toystore.clients;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;

/// A client of the exchange's XML gateway. One thread.
public final class XmlTestClient implements AutoCloseable {
  private static final String END = "</results>\n";
  private static final int TIMEOUT_MILLIS = 30_000;

  private final Socket socket;
  private final InputStream in;

  public XmlTestClient(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(TIMEOUT_MILLIS);
    in = new BufferedInputStream(socket.getInputStream());
  }

  /// Sends bytes as they are on one connection, half-closes it, and returns all answers.
  public static String exchange(int port, String bytes) throws IOException {
    try (var client = new XmlTestClient(port)) {
      return client.send(bytes).halfClose().rest();
    }
  }

  /// The document with its length line.
  public static String framed(String xml) {
    return xml.getBytes(UTF_8).length + "\n" + xml;
  }

  public Socket socket() {
    return socket;
  }

  public XmlTestClient send(String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(UTF_8));
    return this;
  }

  /// Sends a request and returns its answer without the line feed.
  public String request(String xml) throws IOException {
    return send(framed(xml)).receive();
  }

  /// Returns the next answer without the line feed, or what arrived before the end of the stream.
  public String receive() throws IOException {
    var answer = new StringBuilder();
    while (answer.length() < END.length()
        || answer.indexOf(END, answer.length() - END.length()) < 0) {
      int next = in.read();
      if (next < 0) {
        return answer.toString();
      }
      answer.append((char) next);
    }
    return answer.substring(0, answer.length() - 1);
  }

  public XmlTestClient halfClose() throws IOException {
    socket.shutdownOutput();
    return this;
  }

  /// Returns all bytes until the end of the stream.
  public String rest() throws IOException {
    var bytes = new ByteArrayOutputStream();
    in.transferTo(bytes);
    return bytes.toString(UTF_8);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
