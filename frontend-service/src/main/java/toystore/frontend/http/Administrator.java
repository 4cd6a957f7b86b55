package toystore.frontend.http;

import io.grpc.ClientInterceptor;

/// Proof that the request has the administrator's token. A controller method with this parameter is
/// accessible only to the administrator.
public final class Administrator {
  private final ClientInterceptor tokenInterceptor;

  Administrator(ClientInterceptor tokenInterceptor) {
    this.tokenInterceptor = tokenInterceptor;
  }

  /// Adds the token to the calls of a gRPC stub.
  public ClientInterceptor tokenInterceptor() {
    return tokenInterceptor;
  }
}
