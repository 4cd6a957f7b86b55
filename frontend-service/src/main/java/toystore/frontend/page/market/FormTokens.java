package toystore.frontend.page.market;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.UUID;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.security.web.csrf.CsrfTokenRepository;
import org.springframework.security.web.csrf.DefaultCsrfToken;
import toystore.frontend.security.BearerToken;

/// The CSRF token of a form is a MAC keyed with the session's token. So every frontend can check it
/// without state, it ends with the session, and it does not reveal the session's token. Any thread.
final class FormTokens implements CsrfTokenRepository {
  private static final String ALGORITHM = "HmacSHA256";
  private static final byte[] PURPOSE = "toystore page form".getBytes(StandardCharsets.US_ASCII);

  @Override
  public @Nullable CsrfToken loadToken(HttpServletRequest request) {
    return SessionCookie.read(request).map(it -> token(mac(it))).orElse(null);
  }

  /// Without a session, no form has this token.
  @Override
  public CsrfToken generateToken(HttpServletRequest request) {
    return token(UUID.randomUUID().toString());
  }

  @Override
  public void saveToken(
      @Nullable CsrfToken token, HttpServletRequest request, HttpServletResponse response) {
    // the session's token is enough
  }

  private static CsrfToken token(String value) {
    return new DefaultCsrfToken("X-CSRF-TOKEN", "csrf", value);
  }

  private static String mac(BearerToken session) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(session.value().getBytes(StandardCharsets.UTF_8), ALGORITHM));
      return Base64.getUrlEncoder().withoutPadding().encodeToString(mac.doFinal(PURPOSE));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(ALGORITHM + " is part of every JDK", e);
    }
  }
}
