package toystore.catalog.line;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// What came of a connection and is not answered yet: lines, however they were cut into packets. A
/// line ends with a line feed, or a carriage return and a line feed. One thread at a time.
final class LineBuffer {
  /// Bytes a line may have, with its end.
  static final int BOUND = 1_024;

  private final ByteBuffer bytes = ByteBuffer.allocate(BOUND).limit(0);
  private int looked; // nothing before it ends a line

  /// Where to put what comes: behind what is there. [#filled] afterwards. It has room unless
  /// [#isTooLong].
  ByteBuffer room() {
    bytes.compact();
    return bytes;
  }

  void filled() {
    bytes.flip();
  }

  /// Whether there is a whole line.
  boolean hasLine() {
    while (looked < bytes.remaining()) {
      if (bytes.get(bytes.position() + looked) == '\n') {
        return true;
      }
      looked++;
    }
    return false;
  }

  /// Takes the first line, without its end; where there is no whole one, what there is.
  String take() {
    byte[] line = new byte[looked];
    bytes.get(line);
    if (bytes.hasRemaining()) {
      bytes.get(); // the line feed
    }
    int end = looked > 0 && line[looked - 1] == '\r' ? looked - 1 : looked;
    looked = 0;
    return new String(line, 0, end, StandardCharsets.UTF_8);
  }

  boolean isEmpty() {
    return !bytes.hasRemaining();
  }

  /// Whether what there is can become no line any more.
  boolean isTooLong() {
    return looked == BOUND;
  }
}
