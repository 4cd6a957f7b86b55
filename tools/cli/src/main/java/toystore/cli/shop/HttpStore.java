package toystore.cli.shop;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.Executors;
import toystore.cli.command.CommandRefusal;

/// The store over HTTP/1.1 with keep-alive connections. Redirects are not followed and no proxy is
/// used. Any thread.
public final class HttpStore implements AutoCloseable {
  /// A response.
  public record Answer(int status, String body) {}

  private static final Duration DEADLINE = Duration.ofSeconds(10);

  private final URI url;
  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .followRedirects(HttpClient.Redirect.NEVER)
          .proxy(HttpClient.Builder.NO_PROXY)
          .connectTimeout(DEADLINE)
          .executor(Executors.newVirtualThreadPerTaskExecutor())
          .build();

  private HttpStore(URI url) {
    this.url = url;
  }

  public static HttpStore at(String url) {
    try {
      if (url.matches("https?://[^/?#@]+/?")) {
        return new HttpStore(URI.create(url));
      }
    } catch (IllegalArgumentException noUrl) {
      // told below
    }
    throw CommandRefusal.usage("--url must have the form http://HOST:PORT; got %s", url);
  }

  public HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(url.resolve(path)).timeout(DEADLINE);
  }

  public Answer send(HttpRequest request) throws IOException, InterruptedException {
    HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
    return new Answer(answer.statusCode(), answer.body());
  }

  @Override
  public String toString() {
    return url.toString();
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
