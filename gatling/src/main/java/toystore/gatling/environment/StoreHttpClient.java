package toystore.gatling.environment;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.stream.LongStream;

/// Requests to a store that are not part of the load. Any thread.
public final class StoreHttpClient {
  private static final Duration TIMEOUT = Duration.ofMinutes(2); // a full audit is slow
  private static final int ROUND_TRIPS = 21;
  private static final HttpClient HTTP =
      HttpClient.newBuilder()
          .proxy(HttpClient.Builder.NO_PROXY)
          .connectTimeout(Duration.ofSeconds(10))
          .build();

  private StoreHttpClient() {}

  /// Returns the body of a response with status 200.
  ///
  /// @throws IllegalStateException if the status is not 200, with the response
  public static String get(URI url) {
    return answer(HttpRequest.newBuilder(url));
  }

  /// Sends a PATCH with the administrator's token.
  ///
  /// @throws IllegalStateException if the status is not 200, with the response
  static void patch(URI url, String body, String token) {
    answer(
        HttpRequest.newBuilder(url)
            .header("Authorization", "Bearer " + token)
            .method("PATCH", HttpRequest.BodyPublishers.ofString(body)));
  }

  private static String answer(HttpRequest.Builder request) {
    var asked = request.timeout(TIMEOUT).build();
    var answer = send(asked);
    if (answer.statusCode() != 200) {
      throw new IllegalStateException(
          "%s: expected status 200, received %d: %s"
              .formatted(asked.uri(), answer.statusCode(), answer.body()));
    }
    return answer.body();
  }

  /// Whether the response has status 200.
  static boolean isOk(URI url) {
    try {
      return send(HttpRequest.newBuilder(url).timeout(TIMEOUT).build()).statusCode() == 200;
    } catch (IllegalStateException unavailable) {
      return false;
    }
  }

  private static HttpResponse<String> send(HttpRequest request) {
    URI url = request.uri();
    try {
      return HTTP.send(request, BodyHandlers.ofString(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new IllegalStateException(url + ": no response from the store (" + e + ")", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(url + ": interrupted", e);
    }
  }

  /// The median time of a TCP connect: one round trip, independent of the server's software.
  static Duration roundTrip(URI url) {
    int port = url.getPort() >= 0 ? url.getPort() : url.getScheme().equals("https") ? 443 : 80;
    var address = new InetSocketAddress(url.getHost(), port);
    long[] nanos =
        LongStream.generate(() -> connect(address)).limit(ROUND_TRIPS).sorted().toArray();
    return Duration.ofNanos(nanos[ROUND_TRIPS / 2]);
  }

  private static long connect(InetSocketAddress address) {
    long from = System.nanoTime();
    try (var socket = new Socket()) {
      socket.connect(address, 10_000);
      return System.nanoTime() - from;
    } catch (IOException e) {
      throw new IllegalStateException(address + ": no response from the store (" + e + ")", e);
    }
  }
}
