package toystore.platform.rpc;

import io.grpc.ClientInterceptor;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;

/// A bearer token in a call's metadata: `authorization: Bearer TOKEN`.
public final class BearerToken {
  public static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  public static final String SCHEME = "Bearer ";

  private BearerToken() {}

  /// Puts a token on each call of a stub.
  public static ClientInterceptor onCalls(String token) {
    var headers = new Metadata();
    headers.put(AUTHORIZATION, SCHEME + token);
    return MetadataUtils.newAttachHeadersInterceptor(headers);
  }
}
