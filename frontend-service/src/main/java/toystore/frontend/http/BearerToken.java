package toystore.frontend.http;

import jakarta.servlet.http.HttpServletRequest;
import org.springframework.http.HttpHeaders;

/// The bearer token of a request. It is not a record, so that no log shows it by accident.
public final class BearerToken {
  private static final String SCHEME = "Bearer ";
  private static final int MAX_LENGTH = 1_000;

  private final String value;

  public BearerToken(String value) {
    this.value = value;
  }

  /// Returns the token of the request, or throws an [ApiException] (401) if it has none.
  static BearerToken of(HttpServletRequest request) {
    String authorization = request.getHeader(HttpHeaders.AUTHORIZATION);
    if (authorization == null
        || !authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
        || authorization.length() == SCHEME.length()) {
      throw ApiException.of(
          ApiErrorReason.NO_TOKEN, "the bearer token of a session is required; log in to get one");
    }
    return new BearerToken(authorization.substring(SCHEME.length()).strip());
  }

  public String value() {
    return value;
  }

  /// Returns the token for the metadata of a gRPC call, or throws an [ApiException] (401) if it
  /// cannot be there: then it is no session's.
  public String inMetadata() {
    if (value.length() > MAX_LENGTH || value.chars().anyMatch(c -> c <= ' ' || c > '~')) {
      throw ApiException.of(ApiErrorReason.SESSION_UNKNOWN, "the session has ended; log in again");
    }
    return value;
  }
}
