package toystore.platform.service;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.util.function.Supplier;

/// From where a call of the administrator comes, in the words of the caller: a frontend names its
/// own client in the metadata `toystore-origin`, such as `REST 192.0.2.1`. It is recorded with each
/// change and decides nothing. Any thread.
public final class CallOrigin implements ServerInterceptor {
  private static final Metadata.Key<String> HEADER =
      Metadata.Key.of("toystore-origin", Metadata.ASCII_STRING_MARSHALLER);
  private static final Context.Key<String> CURRENT = Context.keyWithDefault("origin", "gRPC");
  private static final int MAX_LENGTH = 100;

  /// The origin of the current call; `gRPC` if the caller names none.
  public static String current() {
    return CURRENT.get();
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    String origin = headers.get(HEADER);
    return origin == null
        ? next.startCall(call, headers)
        : Contexts.interceptCall(
            Context.current()
                .withValue(CURRENT, origin.substring(0, Math.min(origin.length(), MAX_LENGTH))),
            call,
            headers,
            next);
  }

  /// Names the origin of each call of a stub.
  ///
  /// @param origin called on the thread that makes the call
  public static ClientInterceptor named(Supplier<String> origin) {
    return new ClientInterceptor() {
      @Override
      public <Q, A> ClientCall<Q, A> interceptCall(
          MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
        return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
          @Override
          public void start(Listener<A> answer, Metadata headers) {
            headers.put(HEADER, origin.get());
            super.start(answer, headers);
          }
        };
      }
    };
  }
}
