package toystore.clients.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URI;

/// A connection that carries one request at a time: over HTTP, over the stock bazaar's line
/// protocol (`line://127.0.0.1:9101`), over the exchange's XML (`xml://127.0.0.1:12345`), or over
/// gRPC (`grpc://127.0.0.1:9091`). One thread.
public interface LoadConnection extends AutoCloseable {
  /// @param status of HTTP or gRPC; of a line 0, or 1 if it is an error
  record Response(int status, byte[] body) {
    public String text() {
      return new String(body, UTF_8);
    }
  }

  /// @throws IOException if it cannot connect, or if the scheme is unknown
  static LoadConnection open(URI url) throws IOException {
    return switch (url.getScheme()) {
      case "http", "https" -> new HttpConnection(url);
      case "line" -> new LineLoadConnection(url, LineLoadConnection.PRICE);
      case "xml" -> new LineLoadConnection(url, LineLoadConnection.RESULTS);
      case "grpc" -> new GrpcLoadConnection(url);
      default -> throw new IOException("expected http, https, line, xml or grpc, got " + url);
    };
  }

  /// Sends a request. Its response must be read before the next request.
  ///
  /// @throws IOException if the connection has ended
  void write(CallSource.Call call) throws IOException;

  /// Waits for the whole response to the last request. Another thread may do this.
  ///
  /// @throws IOException if there is none; the connection cannot be used again
  Response read() throws IOException;

  /// Sends a request and waits for its whole response.
  ///
  /// @throws IOException if there is none; the connection cannot be used again
  default Response send(CallSource.Call call) throws IOException {
    write(call);
    return read();
  }

  /// Whether the server ends the connection after the last response.
  default boolean isEnded() {
    return false;
  }

  @Override
  void close();
}
