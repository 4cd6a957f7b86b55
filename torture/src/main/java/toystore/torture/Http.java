package toystore.torture;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;

/// A store as a client reaches it.
///
/// @param port of the frontend
/// @param managementPort of the frontend's management
public record Http(HttpClient client, int port, int managementPort) {
  public Http(int port, int managementPort) {
    this(
        HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build(),
        port,
        managementPort);
  }

  /// What came back.
  public record Reply(int status, String body, HttpResponse<String> response) {
    public List<String> header(String name) {
      return response.headers().allValues(name);
    }
  }

  public Reply get(String path, String... headers) throws IOException {
    return send(with(HttpRequest.newBuilder(uri(port, path)).GET(), headers));
  }

  public Reply post(String path, String body, String... headers) throws IOException {
    var request =
        HttpRequest.newBuilder(uri(port, path)).POST(HttpRequest.BodyPublishers.ofString(body));
    return send(with(request, headers));
  }

  public Reply audit() throws IOException {
    return send(HttpRequest.newBuilder(uri(managementPort, "/audit?full=true")).GET());
  }

  public boolean isReady() {
    return isWell("readiness");
  }

  public boolean isAlive() {
    return isWell("liveness");
  }

  private boolean isWell(String probe) {
    try {
      return send(HttpRequest.newBuilder(uri(managementPort, "/health/" + probe)).GET()).status()
          == 200;
    } catch (IOException away) {
      return false;
    }
  }

  /// The management port's metrics.
  public String metrics() throws IOException {
    return send(HttpRequest.newBuilder(uri(managementPort, "/prometheus")).GET()).body();
  }

  private static HttpRequest.Builder with(HttpRequest.Builder request, String... headers) {
    return headers.length == 0 ? request : request.headers(headers);
  }

  private Reply send(HttpRequest.Builder request) throws IOException {
    try {
      HttpResponse<String> response =
          client.send(
              request.timeout(Duration.ofSeconds(30)).build(),
              HttpResponse.BodyHandlers.ofString());
      return new Reply(response.statusCode(), response.body(), response);
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts a test", e);
    }
  }

  private static URI uri(int port, String path) {
    return URI.create("http://127.0.0.1:" + port + path);
  }
}
