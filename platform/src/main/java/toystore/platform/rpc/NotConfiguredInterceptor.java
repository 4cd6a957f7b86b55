package toystore.platform.rpc;

import static toystore.common.RootLocale.format;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ClientInterceptors.CheckedForwardingClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import toystore.platform.error.ErrorReason;

/// Refuses every call to a service that the store does not have. Any thread.
///
/// @param peer name of the service, such as `exchange`
public record NotConfiguredInterceptor(String peer) implements ClientInterceptor {
  @Override
  public <Q, A> ClientCall<Q, A> interceptCall(
      MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
    return new CheckedForwardingClientCall<>(next.newCall(method, options)) {
      @Override
      protected void checkedStart(Listener<A> listener, Metadata headers) {
        throw new RpcError(
                ErrorReason.NOT_CONFIGURED,
                format(
                    "this store runs without the %s service; the request was not processed", peer))
            .toException();
      }
    };
  }
}
