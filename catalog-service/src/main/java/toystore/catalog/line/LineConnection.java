package toystore.catalog.line;

import static java.nio.charset.StandardCharsets.UTF_8;
import static toystore.common.RootLocale.format;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// An open connection. One thread serves it; any thread may close it, which ends a read or write.
final class LineConnection implements AutoCloseable {
  /// In bytes, with its end.
  static final int MAX_LINE = 1_024;

  private static final Logger log = LoggerFactory.getLogger(LineConnection.class);
  private static final int MAX_DISCARDED = 1 << 16;

  private static final String TOO_LONG =
      format("error: a line must have at most %d bytes", MAX_LINE);

  private final Socket socket;
  private volatile long lastAnswer;
  private volatile boolean isServed;

  private static final class LineTooLongException extends IOException {
    private static final long serialVersionUID = 1L;
  }

  LineConnection(Socket socket) {
    this.socket = socket;
  }

  /// Until the client ends its input, or the connection is closed.
  void serve(UnaryOperator<String> answers) throws IOException {
    lastAnswer = System.nanoTime();
    isServed = true;
    socket.setTcpNoDelay(true);
    InputStream in = new BufferedInputStream(socket.getInputStream(), MAX_LINE);
    try {
      for (String line = read(in); line != null; line = read(in)) {
        send(answers.apply(line));
      }
    } catch (LineTooLongException _) {
      send(TOO_LONG);
      socket.shutdownOutput();
      in.skipNBytes(MAX_DISCARDED); // if input is left, closing loses the answer
    }
  }

  /// A line ends with LF, CR LF, or the input.
  ///
  /// @return null at the end of the input
  private static @Nullable String read(InputStream in) throws IOException {
    var line = new ByteArrayOutputStream();
    int next = in.read();
    if (next < 0) {
      return null;
    }
    for (; next >= 0 && next != '\n'; next = in.read()) {
      line.write(next);
      if (line.size() == MAX_LINE) {
        throw new LineTooLongException();
      }
    }
    String text = line.toString(UTF_8);
    return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
  }

  private void send(String answer) throws IOException {
    lastAnswer = System.nanoTime();
    socket.getOutputStream().write((answer + '\n').getBytes(UTF_8));
  }

  /// Whether it was served, but neither received a complete line nor sent its answer for this time.
  boolean isIdle(long nanos) {
    return isServed && System.nanoTime() - lastAnswer > nanos;
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      log.debug("a connection did not close: {}", e.toString());
    }
  }
}
