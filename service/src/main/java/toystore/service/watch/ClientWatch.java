package toystore.service.watch;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;

/// Times the calls a service makes. Any thread.
final class ClientWatch implements ClientInterceptor {
  private final CallMeters meters;

  ClientWatch(CallMeters meters) {
    this.meters = meters;
  }

  @Override
  public <Q, A> ClientCall<Q, A> interceptCall(
      MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
    ClientCall<Q, A> call = next.newCall(method, options);
    return CallMeters.counts(method) ? new Watched<>(method, call) : call;
  }

  private final class Watched<Q, A> extends SimpleForwardingClientCall<Q, A> {
    private final MethodDescriptor<Q, A> method;
    private final long began = System.nanoTime();

    Watched(MethodDescriptor<Q, A> method, ClientCall<Q, A> call) {
      super(call);
      this.method = method;
    }

    @Override
    public void start(Listener<A> listener, Metadata headers) {
      super.start(
          new SimpleForwardingClientCallListener<>(listener) {
            @Override
            public void onClose(Status status, Metadata trailers) {
              meters.record(method, status.getCode(), System.nanoTime() - began);
              super.onClose(status, trailers);
            }
          },
          headers);
    }
  }
}
