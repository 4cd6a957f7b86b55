package toystore.cli.load;

import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import toystore.cli.shop.HttpStore;

/// The store or service that a load is sent to. Any thread.
interface LoadTarget extends AutoCloseable {
  /// The names of the products, or of the stocks, that a load of this kind requests.
  List<String> products(LoadKind kind) throws IOException, InterruptedException;

  /// Connects another client.
  ///
  /// @throws CommandRefusal if this target does not support the kind
  Client client(LoadKind kind);

  @Override
  default void close() {}

  /// A client. One thread.
  @FunctionalInterface
  interface Client extends AutoCloseable {
    /// Sends a request and waits for the response. The returned supplier checks the response, so
    /// that the check is not part of the measured time.
    ///
    /// @param number the number of the request among those of this client, from 0: where the kind
    ///   says so, even ones buy and odd ones sell
    Supplier<ResponseCheck.Verdict> ask(String product, long number)
        throws IOException, InterruptedException;

    @Override
    default void close() {}

    /// This client, with a connection of its own that is closed with it.
    default Client closing(Runnable connection) {
      return new Client() {
        @Override
        public Supplier<ResponseCheck.Verdict> ask(String product, long number)
            throws IOException, InterruptedException {
          return Client.this.ask(product, number);
        }

        @Override
        public void close() {
          connection.run();
        }
      };
    }
  }

  /// The target at a URL.
  ///
  /// @throws CommandRefusal if the URL is invalid
  static LoadTarget at(String url) {
    if (url.startsWith("grpc:")) {
      return new BazaarLoad(HostAndPort.of("grpc", url));
    }
    return url.startsWith("line:")
        ? new LineProtocolLoad(HostAndPort.of("line", url))
        : new StoreLoad(HttpStore.at(url));
  }
}
