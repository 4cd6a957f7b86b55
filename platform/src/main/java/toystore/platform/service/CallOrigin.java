package toystore.platform.service;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Lazy;
import toystore.platform.error.ErrorReason;
import toystore.platform.rpc.RpcError;
import toystore.platform.text.IdentifierText;

/// From where a call of the administrator comes. It is recorded with each change and decides
/// nothing. The address of the connection is what the server saw: `gRPC 192.0.2.7`. A frontend also
/// names its own client, in the metadata `toystore-origin-bin` (UTF-8): `page 192.0.2.1 via
/// 192.0.2.7`. Whoever has the administrator's token could name one, but not the address after
/// `via`. A call within the process has no address.
///
/// It intercepts the service, and the stream that carries its calls. Any thread.
@Lazy
public final class CallOrigin implements ServerInterceptor {
  private static final Metadata.Key<byte[]> HEADER =
      Metadata.Key.of("toystore-origin-bin", Metadata.BINARY_BYTE_MARSHALLER);
  private static final Context.Key<String> CONNECTION = Context.key("connection");
  private static final Context.Key<String> CURRENT = Context.keyWithDefault("origin", "gRPC");
  private static final int MAX_LENGTH = 150;

  public static String current() {
    return CURRENT.get();
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    String address = address(call);
    String origin;
    try {
      origin = origin(headers.get(HEADER), address);
    } catch (IllegalArgumentException e) {
      return new RpcError(ErrorReason.INVALID, String.valueOf(e.getMessage())).refuse(call);
    }
    Context context = Context.current().withValues(CONNECTION, address, CURRENT, origin);
    return Contexts.interceptCall(context, call, headers, next);
  }

  /// A call of a stream has none of its own.
  private static @Nullable String address(ServerCall<?, ?> call) {
    return call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR) instanceof InetSocketAddress it
        ? it.getAddress().getHostAddress()
        : CONNECTION.get();
  }

  private static String origin(byte @Nullable [] named, @Nullable String address) {
    if (named == null) {
      return address == null ? "gRPC" : "gRPC " + address;
    }
    String origin =
        IdentifierText.of("origin", new String(named, StandardCharsets.UTF_8), 1, MAX_LENGTH);
    return address == null ? origin : origin + " via " + address;
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
            headers.put(HEADER, origin.get().getBytes(StandardCharsets.UTF_8));
            super.start(answer, headers);
          }
        };
      }
    };
  }
}
