package toystore.platform.text;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;

/// Decodes text files, and says where one has another encoding.
public final class Utf8 {
  private static final byte NEWLINE = '\n';

  private Utf8() {}

  /// Returns the text, without a byte order mark.
  ///
  /// @throws IllegalArgumentException with the line, what was expected and what was received
  public static String decode(byte[] file) {
    if (startsWith(file, 0xFE, 0xFF) || startsWith(file, 0xFF, 0xFE)) {
      throw new IllegalArgumentException(
          "line 1: expected UTF-8, got UTF-16 (byte order mark %02X %02X)"
              .formatted(file[0], file[1]));
    }
    for (int i = 0; i < Math.min(2, file.length); i++) { // UTF-16 without a mark begins with one
      if (file[i] == 0) {
        throw new IllegalArgumentException(
            "line 1: expected UTF-8, got UTF-16 (byte %d is 00)".formatted(i + 1));
      }
    }
    int begin = startsWith(file, 0xEF, 0xBB, 0xBF) ? 3 : 0;
    ByteBuffer bytes = ByteBuffer.wrap(file, begin, file.length - begin);
    CharBuffer text = CharBuffer.allocate(file.length);
    CoderResult result = UTF_8.newDecoder().decode(bytes, text, true);
    if (result.isError()) {
      throw invalid(file, bytes.position());
    }
    return text.flip().toString();
  }

  private static IllegalArgumentException invalid(byte[] file, int at) {
    int line = 1;
    int lineBegin = 0;
    for (int i = 0; i < at; i++) {
      if (file[i] == NEWLINE) {
        line++;
        lineBegin = i + 1;
      }
    }
    return new IllegalArgumentException(
        "line %d: expected UTF-8, got another encoding: byte %d of the line is %02X"
            .formatted(line, at - lineBegin + 1, file[at]));
  }

  private static boolean startsWith(byte[] file, int... bytes) {
    for (int i = 0; i < bytes.length; i++) {
      if (i >= file.length || (file[i] & 0xFF) != bytes[i]) {
        return false;
      }
    }
    return true;
  }
}
