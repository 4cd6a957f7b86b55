package toystore.frontend.page.form;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.security.web.csrf.CsrfTokenRepository;
import org.springframework.security.web.csrf.DefaultCsrfToken;
import toystore.platform.text.Sha256;

/// The CSRF token of a form is a MAC keyed with a secret of the session. So every frontend can
/// check it without state, it ends with the session, and it does not reveal the secret. Any thread.
public final class FormTokens implements CsrfTokenRepository {
  private static final String PURPOSE = "toystore page form";

  private final Function<HttpServletRequest, Optional<String>> secret;

  /// @param secret of the session of a request
  public FormTokens(Function<HttpServletRequest, Optional<String>> secret) {
    this.secret = secret;
  }

  @Override
  public @Nullable CsrfToken loadToken(HttpServletRequest request) {
    return secret.apply(request).map(it -> token(Sha256.mac(it, PURPOSE))).orElse(null);
  }

  /// Without a session, no form has this token.
  @Override
  public CsrfToken generateToken(HttpServletRequest request) {
    return token(UUID.randomUUID().toString());
  }

  @Override
  public void saveToken(
      @Nullable CsrfToken token, HttpServletRequest request, HttpServletResponse response) {
    // the secret is enough
  }

  private static CsrfToken token(String value) {
    return new DefaultCsrfToken("X-CSRF-TOKEN", "csrf", value);
  }
}
