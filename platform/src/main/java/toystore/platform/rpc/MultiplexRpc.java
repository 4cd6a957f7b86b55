package toystore.platform.rpc;

import static toystore.common.RootLocale.format;

import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.context.event.EventListener;
import org.springframework.grpc.server.lifecycle.GrpcServerShutdownEvent;
import org.springframework.grpc.server.lifecycle.GrpcServerStartedEvent;
import toystore.multiplex.v1.ConnectRequest;
import toystore.multiplex.v1.ConnectResponse;
import toystore.multiplex.v1.MultiplexServiceGrpc;

/// `toystore.multiplex.v1.MultiplexService`: unary calls over one stream. Each is handled by the
/// server's own method, with its interceptors. Requires that calls run on the direct executor and
/// never block. Any thread.
public final class MultiplexRpc extends MultiplexServiceGrpc.MultiplexServiceImplBase {
  /// A caller has one stream; those without make unary calls.
  private static final int MAX_STREAMS = 16;

  private final Set<ServedStream> streams = ConcurrentHashMap.newKeySet();
  private volatile Map<String, ServerMethodDefinition<?, ?>> definitions = Map.of();
  private volatile boolean draining;

  @EventListener
  void onStarted(GrpcServerStartedEvent event) {
    offer(event.getServer());
  }

  /// Offers the unary methods of a server. Their handlers may use the context's cancellation, but
  /// not its deadline: see [OutcomeInterceptor#servedDeadline].
  public void offer(Server server) {
    definitions =
        server.getServices().stream()
            .flatMap(service -> service.getMethods().stream())
            .filter(it -> it.getMethodDescriptor().getType() == MethodDescriptor.MethodType.UNARY)
            .collect(
                Collectors.toMap(
                    it -> it.getMethodDescriptor().getFullMethodName(), Function.identity()));
  }

  @Override
  public StreamObserver<ConnectRequest> connect(StreamObserver<ConnectResponse> to) {
    var stream =
        new ServedStream(
            (ServerCallStreamObserver<ConnectResponse>) to, definitions, streams::remove);
    streams.add(stream);
    if (definitions.isEmpty() || streams.size() > MAX_STREAMS) {
      streams.remove(stream);
      to.onError(
          Status.RESOURCE_EXHAUSTED
              .withDescription(format("at most %d streams of calls are served", MAX_STREAMS))
              .asRuntimeException());
    } else {
      to.onNext(ConnectResponse.getDefaultInstance());
      if (draining) {
        stream.drain();
      }
    }
    return stream;
  }

  /// Before the server refuses connections, its callers end their streams: calls that were sent are
  /// answered.
  @EventListener
  void stopping(GrpcServerShutdownEvent event) {
    drain();
  }

  void drain() {
    draining = true;
    streams.forEach(ServedStream::drain);
  }

  /// Callers end their streams, and find the process that serves for the next ones.
  @EventListener(NotServingEvent.class)
  void onNotServing() {
    streams.forEach(ServedStream::drain);
  }
}
