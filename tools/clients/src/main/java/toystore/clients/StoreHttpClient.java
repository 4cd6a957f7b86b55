package toystore.clients;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// An HTTP client of a store, for tests and for `./toystore shop`. Any thread.
///
/// @param base the base URL of the REST API
/// @param managementPort the management port of the same service on this machine
public record StoreHttpClient(HttpClient client, URI base, int managementPort) {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final Set<Integer> UNDECIDED = Set.of(429, 503, 504);
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  public StoreHttpClient(int port, int managementPort) {
    this(URI.create("http://127.0.0.1:" + port), managementPort);
  }

  public StoreHttpClient(URI base, int managementPort) {
    this(
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .proxy(HttpClient.Builder.NO_PROXY)
            .connectTimeout(Duration.ofSeconds(5))
            .build(),
        base,
        managementPort);
  }

  /// A complete response.
  public record Reply(int status, String body, HttpResponse<String> response) {
    public JsonNode json() {
      return JSON.readTree(body);
    }

    public List<String> header(String name) {
      return response.headers().allValues(name);
    }
  }

  /// One attempt to send a request.
  @FunctionalInterface
  public interface RepeatedRequest {
    /// @param number of the attempt, from 0
    Reply send(int number) throws IOException;
  }

  /// Sends a request until its answer states what was done: until it is none of 429, 503 and 504.
  ///
  /// @throws AssertionError if there is no such answer within five minutes, or if the thread is
  ///   interrupted
  public static Reply sendUntilDecided(RepeatedRequest request) {
    return sendUntilDecided(request, new AtomicLong());
  }

  /// As [#sendUntilDecided(RepeatedRequest)]. Without an idempotency key, an attempt of unknown
  /// outcome may have been carried out.
  ///
  /// @param unknown counts these attempts: those that got 504, or no response
  public static Reply sendUntilDecided(RepeatedRequest request, AtomicLong unknown) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    for (int number = 0; ; number++) {
      String last;
      try {
        Reply reply = request.send(number);
        if (!UNDECIDED.contains(reply.status)) {
          return reply;
        }
        last = reply.status + " " + reply.body;
        unknown.addAndGet(reply.status == 504 ? 1 : 0);
      } catch (IOException unavailable) {
        last = unavailable.toString();
        unknown.addAndGet(unavailable instanceof ConnectException ? 0 : 1);
      }
      if (System.nanoTime() > end || Thread.currentThread().isInterrupted()) {
        throw new AssertionError(
            "no decision after " + (number + 1) + " attempts; last answer: " + last);
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }

  public int port() {
    return base.getPort();
  }

  public Reply get(String path, String... headers) throws IOException {
    return send(HttpRequest.newBuilder(base.resolve(path)).GET(), headers);
  }

  public Reply post(String path, String body, String... headers) throws IOException {
    var request = HttpRequest.newBuilder(base.resolve(path));
    return send(request.POST(BodyPublishers.ofString(body)), headers);
  }

  /// Sends a request of any method.
  ///
  /// @param body empty: none
  public Reply send(String method, String path, String body, String... headers) throws IOException {
    var publisher = body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body);
    return send(HttpRequest.newBuilder(base.resolve(path)).method(method, publisher), headers);
  }

  public Reply audit() throws IOException {
    return management("/audit?full=true");
  }

  /// Returns the checks of a full audit that did not succeed.
  public List<String> failedChecks() throws IOException {
    return JSON.readTree(audit().body())
        .required("checks")
        .valueStream()
        .filter(it -> !it.required("ok").asBoolean(false))
        .map(JsonNode::toString)
        .toList();
  }

  public String metrics() throws IOException {
    return management("/actuator/prometheus").body();
  }

  public boolean isReady() {
    return isOk("/health/readiness");
  }

  public boolean isAlive() {
    return isOk("/health/liveness");
  }

  private boolean isOk(String path) {
    try {
      return management(path).status() == 200;
    } catch (IOException away) {
      return false;
    }
  }

  /// Requests a page of the management port.
  public Reply management(String path, String... headers) throws IOException {
    return send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + managementPort + path)), headers);
  }

  private Reply send(HttpRequest.Builder request, String... headers) throws IOException {
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      HttpResponse<String> response =
          client.send(request.timeout(Duration.ofSeconds(30)).build(), BodyHandlers.ofString());
      return new Reply(response.statusCode(), response.body(), response);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
