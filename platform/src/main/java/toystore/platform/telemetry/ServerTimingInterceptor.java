package toystore.platform.telemetry;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;

/// Transfers [RequestTimings] between services. Any thread.
///
/// ```
/// request   toystore-timing: 1   requests the timings
/// trailers  server-timing        the timings
/// ```
final class ServerTimingInterceptor implements ServerInterceptor, ClientInterceptor {
  private static final Metadata.Key<String> TIMED =
      Metadata.Key.of("toystore-timing", Metadata.ASCII_STRING_MARSHALLER);
  private static final Metadata.Key<String> TIMES =
      Metadata.Key.of("server-timing", Metadata.ASCII_STRING_MARSHALLER);

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    if (!headers.containsKey(TIMED)) {
      return next.startCall(call, headers);
    }
    var timings = new RequestTimings();
    Context context = timings.in(Context.current());
    return Contexts.interceptCall(context, timed(call, timings), headers, next);
  }

  private static <Q, A> ServerCall<Q, A> timed(ServerCall<Q, A> call, RequestTimings timings) {
    return new SimpleForwardingServerCall<>(call) {
      @Override
      public void close(Status status, Metadata trailers) {
        trailers.put(TIMES, timings.within(service(getMethodDescriptor())));
        super.close(status, trailers);
      }
    };
  }

  @Override
  public <Q, A> ClientCall<Q, A> interceptCall(
      MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
    ClientCall<Q, A> call = next.newCall(method, options);
    RequestTimings timings = RequestTimings.current();
    return timings == null ? call : asking(call, timings);
  }

  private static <Q, A> ClientCall<Q, A> asking(ClientCall<Q, A> call, RequestTimings timings) {
    return new SimpleForwardingClientCall<>(call) {
      @Override
      public void start(Listener<A> listener, Metadata headers) {
        headers.put(TIMED, "1");
        super.start(
            new SimpleForwardingClientCallListener<>(listener) {
              @Override
              public void onClose(Status status, Metadata trailers) {
                String times = trailers.get(TIMES);
                if (times != null) {
                  timings.add(times);
                }
                super.onClose(status, trailers);
              }
            },
            headers);
      }
    };
  }

  /// `toystore.catalog.v1.CatalogService` → `catalog`.
  private static String service(MethodDescriptor<?, ?> method) {
    return method.getFullMethodName().split("\\.", 3)[1];
  }
}
