package toystore.frontend;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/// A client that says on a plain socket exactly what a test wants said.
final class RawClient implements AutoCloseable {
  private static final int PATIENCE_MS = 5_000;

  private final Socket socket;

  RawClient(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(PATIENCE_MS);
    socket.setTcpNoDelay(true);
  }

  /// What comes back until the server closes.
  static String exchange(int port, String request) throws IOException {
    try (var client = new RawClient(port)) {
      return client.say(request).rest();
    }
  }

  RawClient say(String text) throws IOException {
    return say(text.getBytes(StandardCharsets.UTF_8));
  }

  RawClient say(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
    return this;
  }

  /// The next answer: status line, headers and a body of the length they say.
  String answer() throws IOException {
    InputStream in = socket.getInputStream();
    var head = new ByteArrayOutputStream();
    while (!head.toString(StandardCharsets.UTF_8).endsWith("\r\n\r\n")) {
      int c = in.read();
      if (c < 0) {
        return head.toString(StandardCharsets.UTF_8);
      }
      head.write(c);
    }
    String text = head.toString(StandardCharsets.UTF_8);
    return text + new String(in.readNBytes(length(text)), StandardCharsets.UTF_8);
  }

  boolean isAnswered() throws IOException {
    return socket.getInputStream().available() > 0;
  }

  String rest() throws IOException {
    return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  private static int length(String head) {
    String header = "content-length:";
    int at = head.toLowerCase(java.util.Locale.ROOT).indexOf(header);
    return at < 0
        ? 0
        : Integer.parseInt(head.substring(at + header.length(), head.indexOf('\r', at)).strip());
  }
}
