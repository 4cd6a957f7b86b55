package toystore.platform.text;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.util.HexFormat;

/// Decodes text files, and says where one has another encoding.
public final class Utf8 {
  private static final byte NEWLINE = '\n';

  private Utf8() {}

  /// Reads and decodes a file.
  ///
  /// @param maxBytes maximum size of the file
  /// @throws IllegalArgumentException with what was expected and what was received
  public static String read(InputStream file, int maxBytes) throws IOException {
    byte[] bytes = file.readNBytes(maxBytes + 1);
    if (bytes.length > maxBytes) {
      throw new IllegalArgumentException("expected at most " + maxBytes + " bytes, got more");
    }
    return decode(bytes);
  }

  /// Returns the text, without a byte order mark.
  ///
  /// @throws IllegalArgumentException with the line, what was expected and what was received
  public static String decode(byte[] file) {
    if (startsWith(file, 0xFE, 0xFF) || startsWith(file, 0xFF, 0xFE)) {
      throw utf16("byte order mark " + hex(file[0]) + ' ' + hex(file[1]));
    }
    for (int i = 0; i < Math.min(2, file.length); i++) { // UTF-16 without a mark begins with one
      if (file[i] == 0) {
        throw utf16("byte " + (i + 1) + " is 00");
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

  private static IllegalArgumentException utf16(String sign) {
    return new IllegalArgumentException("line 1: expected UTF-8, got UTF-16 (" + sign + ')');
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
        "line "
            + line
            + ": expected UTF-8, got another encoding: byte "
            + (at - lineBegin + 1)
            + " of the line is "
            + hex(file[at]));
  }

  private static String hex(byte value) {
    return HexFormat.of().withUpperCase().toHexDigits(value);
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
