package toystore.lab.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/// A connection of the load client that carries one request at a time: over HTTP, over the stock
/// bazaar's line protocol (`line://127.0.0.1:9101`), or over gRPC (`grpc://127.0.0.1:9091`). One
/// thread.
interface LoadConnection extends AutoCloseable {
  /// @param status of HTTP or gRPC; of a line 0, or 1 if it is no price
  /// @param serverTiming the header `Server-Timing`, if the response has one
  record Response(int status, byte[] body, @Nullable String serverTiming) {
    String text() {
      return new String(body, UTF_8);
    }
  }

  /// @throws IOException if it cannot connect, or if the scheme is unknown
  static LoadConnection open(URI url) throws IOException {
    return switch (url.getScheme()) {
      case "http" -> new HttpConnection(url);
      case "line" -> new LineLoadConnection(url);
      case "grpc" -> new GrpcLoadConnection(url);
      default -> throw new IOException("expected http, line or grpc, got " + url);
    };
  }

  /// Sends a request and waits for its whole response.
  ///
  /// @throws IOException if there is none; the connection cannot be used again
  Response send(CallSource.Call call) throws IOException;

  /// Whether the server ends the connection after the last response.
  default boolean isEnded() {
    return false;
  }

  @Override
  void close();
}
