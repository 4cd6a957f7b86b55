package toystore.catalog.line;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// Received bytes of a connection, split into lines regardless of packet boundaries. A line ends
/// with a line feed, or with a carriage return and a line feed. One thread at a time.
final class LineBuffer {
  /// Maximum length of a line in bytes, with its end.
  static final int BOUND = 1_024;

  private final ByteBuffer bytes = ByteBuffer.allocate(BOUND).limit(0);
  private int scanned; // bytes before it contain no line feed

  /// The buffer to append received bytes to; call [#written] afterwards. It has free space unless
  /// [#isTooLong].
  ByteBuffer writable() {
    bytes.compact();
    return bytes;
  }

  void written() {
    bytes.flip();
  }

  /// Whether the buffer has a complete line.
  boolean hasLine() {
    while (scanned < bytes.remaining()) {
      if (bytes.get(bytes.position() + scanned) == '\n') {
        return true;
      }
      scanned++;
    }
    return false;
  }

  /// Removes and returns the first line without its end; without a complete line, all bytes.
  String takeLine() {
    byte[] line = new byte[scanned];
    bytes.get(line);
    if (bytes.hasRemaining()) {
      bytes.get(); // the line feed
    }
    int end = scanned > 0 && line[scanned - 1] == '\r' ? scanned - 1 : scanned;
    scanned = 0;
    return new String(line, 0, end, StandardCharsets.UTF_8);
  }

  boolean isEmpty() {
    return !bytes.hasRemaining();
  }

  /// Whether the first line exceeds the maximum length.
  boolean isTooLong() {
    return scanned == BOUND;
  }
}
