package toystore.platform.text;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.util.HexFormat;

/// Decodes text files, and says where one has another encoding.
public final class Utf8 {
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
    String latin = new String(file, ISO_8859_1); // each byte is one character
    if (latin.startsWith("\u00FE\u00FF") || latin.startsWith("\u00FF\u00FE")) {
      throw utf16("byte order mark " + hex(file[0]) + ' ' + hex(file[1]));
    }
    int zero = latin.indexOf('\0');
    if (zero == 0 || zero == 1) { // UTF-16 without a mark begins with one
      throw utf16("byte " + (zero + 1) + " is 00");
    }
    ByteBuffer bytes = ByteBuffer.wrap(file);
    CharBuffer text = CharBuffer.allocate(file.length);
    if (UTF_8.newDecoder().decode(bytes, text, true).isError()) {
      throw invalid(latin.substring(0, bytes.position()), file[bytes.position()]);
    }
    String decoded = text.flip().toString();
    return decoded.startsWith("\uFEFF") ? decoded.substring(1) : decoded;
  }

  private static IllegalArgumentException utf16(String sign) {
    return new IllegalArgumentException("line 1: expected UTF-8, got UTF-16 (" + sign + ')');
  }

  private static IllegalArgumentException invalid(String before, byte wrong) {
    return new IllegalArgumentException(
        format(
            "line %d: expected UTF-8, got another encoding: byte %d of the line is %s",
            1 + before.chars().filter(it -> it == '\n').count(),
            before.length() - before.lastIndexOf('\n'),
            hex(wrong)));
  }

  private static String hex(byte value) {
    return HexFormat.of().withUpperCase().toHexDigits(value);
  }
}
