package toystore.platform.journal;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import toystore.platform.text.Sha256;

/// SHA-256 of the values of a request. It tells a repeat from a different request. It is stored on
/// disk, so the hash of a given request must never change.
///
/// ```
/// for each value in order   length in 4 bytes, UTF-8 of its text
/// ```
public final class RequestHash {
  private RequestHash() {}

  public static byte[] of(List<Object> values) {
    MessageDigest sha = Sha256.digest();
    for (Object value : values) {
      byte[] bytes = value.toString().getBytes(StandardCharsets.UTF_8);
      sha.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, bytes.length));
      sha.update(bytes);
    }
    return sha.digest();
  }
}
