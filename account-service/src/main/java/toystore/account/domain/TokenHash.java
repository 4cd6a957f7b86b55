package toystore.account.domain;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Base64;
import toystore.platform.text.Sha256;

/// SHA-256 of a session's token. The token itself is only in the answer to the login. A fast hash
/// suffices, because a token has 256 random bits.
public record TokenHash(long first, long second, long third, long fourth) {
  private static final int TOKEN_BYTES = 32;

  /// Makes a token: 256 random bits in base64url without padding.
  public static String newToken(SecureRandom random) {
    var bytes = new byte[TOKEN_BYTES];
    random.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  public static TokenHash of(String token) {
    return of(Sha256.digest().digest(token.getBytes(US_ASCII)));
  }

  /// @param bytes the 32 bytes of the hash
  public static TokenHash of(byte[] bytes) {
    var buffer = ByteBuffer.wrap(bytes);
    return new TokenHash(buffer.getLong(), buffer.getLong(), buffer.getLong(), buffer.getLong());
  }

  public byte[] bytes() {
    return ByteBuffer.allocate(TOKEN_BYTES)
        .putLong(first)
        .putLong(second)
        .putLong(third)
        .putLong(fourth)
        .array();
  }
}
