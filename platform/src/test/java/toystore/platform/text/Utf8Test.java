package toystore.platform.text;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class Utf8Test {
  @Test
  void textIsReadWithAndWithoutAByteOrderMark() {
    assertThat(Utf8.decode("Bär 🧸\n".getBytes(UTF_8))).isEqualTo("Bär 🧸\n");
    assertThat(Utf8.decode("\uFEFFBär".getBytes(UTF_8))).isEqualTo("Bär");
    assertThat(Utf8.decode(new byte[0])).isEmpty();
  }

  @Test
  void largerFileIsRefused() throws IOException {
    assertThat(Utf8.read(new ByteArrayInputStream(new byte[] {'a', 'b'}), 2)).isEqualTo("ab");
    assertThatThrownBy(() -> Utf8.read(new ByteArrayInputStream(new byte[] {'a', 'b'}), 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("expected at most 1 bytes, got more");
  }

  @Test
  void otherEncodingIsReportedWithLineAndByte() {
    assertThatThrownBy(() -> Utf8.decode("name\nBär,1\n".getBytes(ISO_8859_1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("line 2: expected UTF-8, got another encoding: byte 2 of the line is E4");
    assertThatThrownBy(() -> Utf8.decode(new byte[] {'\n', '\n', (byte) 0xC3}))
        .hasMessage("line 3: expected UTF-8, got another encoding: byte 1 of the line is C3");
    assertThatThrownBy(() -> Utf8.decode("\uFEFFname".getBytes(UTF_16LE)))
        .hasMessage("line 1: expected UTF-8, got UTF-16 (byte order mark FF FE)");
    assertThatThrownBy(() -> Utf8.decode(new byte[] {(byte) 0xFE, (byte) 0xFF, 0, 'n'}))
        .hasMessage("line 1: expected UTF-8, got UTF-16 (byte order mark FE FF)");
    assertThatThrownBy(() -> Utf8.decode("name".getBytes(UTF_16LE)))
        .hasMessage("line 1: expected UTF-8, got UTF-16 (byte 2 is 00)");
  }
}
