package toystore.cli;

import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;

/// What a load is put on. Any thread.
interface LoadTarget extends AutoCloseable {
  /// Names of products to ask for.
  ///
  /// @param inStock only such as can be bought
  List<String> products(boolean inStock) throws IOException, InterruptedException;

  /// Connects another client.
  ///
  /// @throws Refused where nothing can be asked of it so
  Client client(ClosedLoopLoad.Kind kind) throws IOException;

  @Override
  default void close() {}

  /// One client. One thread.
  interface Client extends AutoCloseable {
    /// Asks, and returns when it is answered with what then tells whether the answer is right.
    Supplier<ResponseCheck.Verdict> ask(String product) throws IOException, InterruptedException;

    @Override
    default void close() {}
  }

  /// The target that a URL names.
  ///
  /// @throws Refused where it names none
  static LoadTarget at(String url) {
    if (url.startsWith("grpc:")) {
      return new GrpcBazaarTarget(HostAndPort.of("grpc", url));
    }
    return url.startsWith("line:")
        ? new LineBazaarTarget(HostAndPort.of("line", url))
        : HttpStoreTarget.at(url);
  }
}
