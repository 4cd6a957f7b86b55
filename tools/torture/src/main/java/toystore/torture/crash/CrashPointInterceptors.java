package toystore.torture.crash;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;

/// gRPC interceptors with a crash point before the response to one method. Any thread.
public final class CrashPointInterceptors {
  private CrashPointInterceptors() {}

  /// A server interceptor with a crash point before the response is sent.
  public static ServerInterceptor onServerResponse(String method, CrashPoint point) {
    return new ServerInterceptor() {
      @Override
      public <Q, R> ServerCall.Listener<Q> interceptCall(
          ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        return next.startCall(
            new SimpleForwardingServerCall<>(call) {
              @Override
              public void sendMessage(R answer) {
                killIfReached(getMethodDescriptor(), method, point);
                super.sendMessage(answer);
              }
            },
            headers);
      }
    };
  }

  /// A client interceptor with a crash point before the response is delivered.
  public static ClientInterceptor onClientResponse(String method, CrashPoint point) {
    return new ClientInterceptor() {
      @Override
      public <Q, R> ClientCall<Q, R> interceptCall(
          MethodDescriptor<Q, R> called, CallOptions options, Channel next) {
        return new SimpleForwardingClientCall<>(next.newCall(called, options)) {
          @Override
          public void start(Listener<R> listener, Metadata headers) {
            super.start(
                new SimpleForwardingClientCallListener<>(listener) {
                  @Override
                  public void onMessage(R answer) {
                    killIfReached(called, method, point);
                    super.onMessage(answer);
                  }
                },
                headers);
          }
        };
      }
    };
  }

  private static void killIfReached(
      MethodDescriptor<?, ?> called, String method, CrashPoint point) {
    if (method.equals(called.getBareMethodName())) {
      point.killIfReached();
    }
  }
}
