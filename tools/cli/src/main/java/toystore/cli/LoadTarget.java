package toystore.cli;

import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;

/// The store or service that a load is sent to. Any thread.
interface LoadTarget extends AutoCloseable {
  /// The names of the products, or of the stocks, that a load of this kind requests.
  List<String> products(ClosedLoopLoad.Kind kind) throws IOException, InterruptedException;

  /// Connects another client.
  ///
  /// @throws CommandRefusal if this target does not support the kind
  Client client(ClosedLoopLoad.Kind kind) throws IOException;

  @Override
  default void close() {}

  /// A client with its own connection. One thread.
  interface Client extends AutoCloseable {
    /// Sends a request and waits for the response. The returned supplier checks the response, so
    /// that the check is not part of the measured time.
    Supplier<ResponseCheck.Verdict> ask(String product) throws IOException, InterruptedException;

    @Override
    default void close() {}
  }

  /// The target at a URL.
  ///
  /// @throws CommandRefusal if the URL is invalid
  static LoadTarget at(String url) {
    if (url.startsWith("grpc:")) {
      return new GrpcBazaarTarget(HostAndPort.of("grpc", url));
    }
    return url.startsWith("line:")
        ? new LineProtocolTarget(HostAndPort.of("line", url))
        : HttpStoreTarget.at(url);
  }
}
