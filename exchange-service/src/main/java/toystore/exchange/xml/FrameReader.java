package toystore.exchange.xml;

import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Arrays;

/// Splits the received bytes into documents, each after a line with its length. The buffer grows
/// only as bytes arrive. One thread.
final class FrameReader implements AutoCloseable {
  static final String OVERLOADED =
      "server is overloaded; the request was not processed; retry later";
  private static final int INITIAL = 512;
  private static final int MAX_LENGTH_LINE = 32;
  private static final int QUOTED = 40;
  private static final int UNKNOWN = -1;
  private static final int INVALID = -2;

  private final Socket socket;
  private final XmlGatewayLimits limits;
  private final BufferMemory memory;
  private byte[] buffer = new byte[INITIAL];
  private int begin; // of the bytes that were not read yet
  private int end;

  FrameReader(Socket socket, XmlGatewayLimits limits, BufferMemory memory) {
    this.socket = socket;
    this.limits = limits;
    this.memory = memory;
  }

  /// Whether [#read] would not wait.
  ///
  /// @param longest maximum length of the document
  boolean hasDocument(int longest) {
    skipWhitespace();
    int line = lengthLine();
    int length = line < 0 ? line : length(line);
    return length > 0 && length <= longest && end - begin - line - 1 >= length;
  }

  /// Of another request.
  boolean hasBytes() {
    skipWhitespace();
    return begin < end;
  }

  /// For the first byte of the next request.
  ///
  /// @return false if the stream ended or the time is over
  boolean await(Duration time) throws IOException {
    long deadline = System.nanoTime() + time.toNanos();
    skipWhitespace();
    while (begin == end) {
      begin = 0;
      end = 0;
      if (buffer.length > INITIAL) {
        resize(INITIAL);
      }
      long left = deadline - System.nanoTime();
      if (left <= 0 || receive(left) <= 0) {
        return false;
      }
      skipWhitespace();
    }
    return true;
  }

  /// Call it after [#await] returned true.
  RequestFrame read() throws IOException {
    long deadline = System.nanoTime() + limits.idle().toNanos();
    int line = lengthLine();
    while (line == UNKNOWN) {
      if (end - begin > MAX_LENGTH_LINE) {
        return noLength();
      }
      if (fill(deadline) <= 0) {
        return new RequestFrame.Unreadable(
            format("length line is incomplete: received \"%s\"", quoted()));
      }
      line = lengthLine();
    }
    int length = length(line);
    if (length == INVALID) {
      return noLength();
    }
    begin += line + 1;
    while (end - begin < length) {
      if (!makeRoom(length)) {
        return new RequestFrame.Unreadable(OVERLOADED);
      }
      if (fill(deadline) <= 0) {
        return new RequestFrame.Unreadable(
            format("request is incomplete: expected %d bytes, received %d", length, end - begin));
      }
    }
    var document = new RequestFrame.Document(buffer, begin, length);
    begin += length;
    return document;
  }

  private RequestFrame.Unreadable noLength() {
    return new RequestFrame.Unreadable(
        format(
            "expected a line with the request's length in bytes, 1 to %d, received \"%s\"",
            limits.requestBytes(), quoted()));
  }

  private void skipWhitespace() {
    while (begin < end && isWhitespace(buffer[begin])) {
      begin++;
    }
  }

  private static boolean isWhitespace(byte b) {
    return b == ' ' || b == '\n' || b == '\r' || b == '\t';
  }

  /// Without its line feed, or UNKNOWN. A line that begins with anything else than a digit is not
  /// awaited.
  private int lengthLine() {
    for (int i = begin; i < end && i - begin <= MAX_LENGTH_LINE; i++) {
      if (buffer[i] == '\n') {
        return i - begin;
      }
      if (!isDigit(buffer[i]) && !isWhitespace(buffer[i])) {
        return i - begin; // length() finds it invalid
      }
    }
    return UNKNOWN;
  }

  /// Whitespace may follow the digits.
  private int length(int line) {
    if (buffer[begin + line] != '\n') {
      return INVALID;
    }
    long length = 0;
    int i = begin;
    while (isDigit(buffer[i])) {
      length = Math.min(length * 10 + buffer[i] - '0', Integer.MAX_VALUE);
      i++;
    }
    while (isWhitespace(buffer[i]) && i < begin + line) {
      i++;
    }
    boolean valid = i == begin + line && length >= 1 && length <= limits.requestBytes();
    return valid ? (int) length : INVALID;
  }

  private static boolean isDigit(byte b) {
    return b >= '0' && b <= '9';
  }

  /// @return at most 0 if the stream ended, the client was silent or the time is over
  private int fill(long deadline) throws IOException {
    if (end == buffer.length) {
      compact();
    }
    long left = Math.min(deadline - System.nanoTime(), limits.silence().toNanos());
    return left <= 0 ? 0 : receive(left);
  }

  private int receive(long nanos) throws IOException {
    socket.setSoTimeout((int) Math.max(1, nanos / 1_000_000));
    try {
      int count = socket.getInputStream().read(buffer, end, buffer.length - end);
      end += Math.max(0, count);
      return count;
    } catch (SocketTimeoutException _) {
      return 0;
    }
  }

  /// For at least one more byte of a document.
  private boolean makeRoom(int length) {
    if (end < buffer.length) {
      return true;
    }
    compact();
    if (end < buffer.length) {
      return true;
    }
    int larger = Math.min(length, 2 * buffer.length);
    if (!memory.reserve(larger - buffer.length)) {
      return false;
    }
    buffer = Arrays.copyOf(buffer, larger);
    return true;
  }

  private void compact() {
    System.arraycopy(buffer, begin, buffer, 0, end - begin);
    end -= begin;
    begin = 0;
  }

  private void resize(int size) {
    memory.release(buffer.length - size);
    buffer = new byte[size];
  }

  private String quoted() {
    var text = new StringBuilder();
    for (int i = begin; i < Math.min(end, begin + QUOTED); i++) {
      text.append(buffer[i] >= ' ' && buffer[i] <= '~' ? (char) buffer[i] : '?');
    }
    return text + (end - begin > QUOTED ? "…" : "");
  }

  @Override
  public void close() {
    resize(INITIAL);
  }
}
