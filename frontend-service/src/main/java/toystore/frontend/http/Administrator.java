package toystore.frontend.http;

import io.grpc.ClientInterceptor;

/// The proof that the administrator asks. A controller that takes one is closed to others.
public final class Administrator {
  private final ClientInterceptor token;

  Administrator(ClientInterceptor token) {
    this.token = token;
  }

  /// Puts the token that was shown on the calls of a stub.
  public ClientInterceptor token() {
    return token;
  }
}
