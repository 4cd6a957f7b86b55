package toystore.platform.journal;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;

/// SHA-256 of the values of a request. It tells a repeat from a different request. It is stored on
/// disk, so the hash of a given request must never change.
///
/// ```
/// for each value in order   length in 4 bytes, UTF-8 of its text
/// ```
public final class RequestHash {
  private RequestHash() {}

  public static byte[] of(List<Object> values) {
    MessageDigest sha = sha256();
    for (Object value : values) {
      byte[] bytes = value.toString().getBytes(StandardCharsets.UTF_8);
      sha.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, bytes.length));
      sha.update(bytes);
    }
    return sha.digest();
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this JDK has no SHA-256", e);
    }
  }
}
