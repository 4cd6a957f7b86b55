package toystore.frontend.security;

import static java.util.Objects.requireNonNull;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.security.core.Authentication;
import org.springframework.security.web.authentication.preauth.PreAuthenticatedAuthenticationToken;
import toystore.frontend.http.error.ApiException;
import toystore.platform.error.ErrorReason;

/// The bearer token of a request. It is not a record, so that no log shows it by accident.
public final class BearerToken {
  private static final String SCHEME = "Bearer ";
  private static final int MAX_LENGTH = 1_000;

  private final String value;

  public BearerToken(String value) {
    this.value = value;
  }

  /// Returns the token of the header `Authorization`, which is not checked yet; null if there is
  /// none.
  static @Nullable Authentication ofHeader(HttpServletRequest request) {
    String authorization = request.getHeader(HttpHeaders.AUTHORIZATION);
    return authorization != null
            && authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
            && authorization.length() > SCHEME.length()
        ? new BearerToken(authorization.substring(SCHEME.length()).strip()).unchecked()
        : null;
  }

  public Authentication unchecked() {
    return new PreAuthenticatedAuthenticationToken(this, this);
  }

  public static BearerToken of(Authentication unchecked) {
    return (BearerToken) requireNonNull(unchecked.getCredentials());
  }

  public String value() {
    return value;
  }

  /// Returns the token for the metadata of a gRPC call, or throws an [ApiException] (401) if it
  /// cannot be there: then it is no session's.
  public String inMetadata() {
    if (value.length() > MAX_LENGTH || value.chars().anyMatch(c -> c <= ' ' || c > '~')) {
      throw ApiException.of(ErrorReason.SESSION_UNKNOWN, "the session has ended; log in again");
    }
    return value;
  }
}
