package toystore.platform.text;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// A message authentication code: who does not know the key can neither make it nor learn the key
/// from it.
public final class HmacSha256 {
  private static final String ALGORITHM = "HmacSHA256";

  private HmacSha256() {}

  /// Returns the code in URL-safe Base64.
  public static String of(String key, String message) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key.getBytes(StandardCharsets.UTF_8), ALGORITHM));
      return Base64.getUrlEncoder()
          .withoutPadding()
          .encodeToString(mac.doFinal(message.getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(ALGORITHM + " is part of every JDK", e);
    }
  }
}
