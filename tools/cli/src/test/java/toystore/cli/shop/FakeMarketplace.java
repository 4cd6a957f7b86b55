package toystore.cli.shop;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.function.Function;

/// A store that gives prepared answers and records what it was asked.
public final class FakeMarketplace implements AutoCloseable {
  public static final String TOKEN = "the-secret-token";

  /// A request, with its token and its key ("" without).
  public record Asked(String method, String uri, String body, String token, String key) {
    @Override
    public String toString() {
      return (method + " " + uri + " " + body).strip();
    }
  }

  public record Answer(int status, String body) {}

  public final Deque<Asked> asked = new ConcurrentLinkedDeque<>();
  private final Map<String, Function<Asked, Answer>> answers = new ConcurrentHashMap<>();
  private volatile Function<Asked, Answer> otherAnswers =
      _ -> new Answer(404, "{\"title\":\"Not Found\",\"detail\":\"no such path\"}");
  private final Queue<Integer> failures = new ConcurrentLinkedQueue<>();
  private final HttpServer server;

  public FakeMarketplace() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::answer);
    server.start();
    for (var role : List.of("buyers", "sellers")) {
      answers(
          "POST /api/" + role + "/register",
          201,
          "{\"message\":\"registered\",\"token\":null,\"id\":1}");
      answers(
          "POST /api/" + role + "/login",
          200,
          "{\"message\":\"logged in\",\"token\":\"" + TOKEN + "\"}");
      answers("POST /api/" + role + "/logout", 200, "{\"message\":\"logged out\"}");
    }
  }

  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /// The answer to requests with this method and path.
  public void answers(String request, int status, String body) {
    answers(request, _ -> new Answer(status, body));
  }

  public void answers(String request, Function<Asked, Answer> answer) {
    answers.put(request, answer);
  }

  /// The answer to all other requests.
  public void answersOthers(Function<Asked, Answer> answer) {
    otherAnswers = answer;
  }

  /// Answers the next requests with these statuses instead; 0 closes the connection.
  public void failsWith(Integer... statuses) {
    failures.addAll(List.of(statuses));
  }

  private Answer answerTo(Asked request) {
    return answers
        .getOrDefault(
            request.method() + " " + request.uri().replaceFirst("\\?.*", ""), otherAnswers)
        .apply(request);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      var request =
          new Asked(
              exchange.getRequestMethod(),
              exchange.getRequestURI().toString(),
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8),
              header(exchange, "Authorization"),
              header(exchange, "Idempotency-Key"));
      asked.add(request);
      var failure = failures.poll();
      if (failure != null && failure == 0) {
        return; // closed without an answer
      }
      var answer =
          failure == null
              ? answerTo(request)
              : new Answer(failure, "{\"detail\":\"status " + failure + "\"}");
      var body = answer.body().getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(answer.status(), body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private static String header(HttpExchange exchange, String name) {
    var value = exchange.getRequestHeaders().getFirst(name);
    return value == null ? "" : value;
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
