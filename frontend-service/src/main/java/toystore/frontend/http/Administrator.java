package toystore.frontend.http;

import io.grpc.ClientInterceptor;

/// The proof that the administrator asks. A controller that takes one is closed to others.
public final class Administrator {
  private final ClientInterceptor tokenInterceptor;

  Administrator(ClientInterceptor tokenInterceptor) {
    this.tokenInterceptor = tokenInterceptor;
  }

  /// Puts the token that was shown on the calls of a stub.
  public ClientInterceptor tokenInterceptor() {
    return tokenInterceptor;
  }
}
