package toystore.clients.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.io.JsonStringEncoder;
import tools.jackson.databind.JsonNode;

/// Makes the requests of one kind; [ResponseCheck] checks their responses. Any thread.
public final class CallSource {
  private static final AtomicLong CALLS = new AtomicLong();

  private static final UnaryOperator<String> AS_IS = value -> value;
  private static final UnaryOperator<String> IN_PATH =
      value -> URLEncoder.encode(value, UTF_8).replace("+", "%20");
  private static final UnaryOperator<String> IN_JSON =
      value -> new String(JsonStringEncoder.getInstance().quoteAsCharArray(value));

  private final URI url;
  private final boolean isHttp;
  private final Connector connector;
  private final Map<String, GrpcMessages> messages = new ConcurrentHashMap<>(); // by method
  private final Scenario.Kind kind;
  private final ResponseCheck check;
  private final Map<String, List<String>> values = new HashMap<>(); // that may be used
  private final Map<String, Scenario.Choice> choices = new HashMap<>(); // by value
  private final Map<String, ZipfSampler> samplers = new HashMap<>(); // by value
  private final @Nullable CallSource first;
  private final Map<String, Sequence> sequences = new ConcurrentHashMap<>(); // by client

  /// Connects to a URL, as [LoadConnection#open] does.
  @FunctionalInterface
  public interface Connector {
    LoadConnection open(URI url) throws IOException;
  }

  /// A request, and the values that its response must have.
  ///
  /// @param path of the URL, or the gRPC method
  /// @param bytes the whole request; for gRPC the message
  /// @param metadata of gRPC
  /// @param chosen value by variable
  public record Call(
      String path, byte[] bytes, Map<String, String> metadata, Map<String, String> chosen) {}

  /// The calls of a client.
  private record Sequence(AtomicLong calls, AtomicLong highestNumber) {
    Sequence() {
      this(new AtomicLong(), new AtomicLong(-1));
    }
  }

  public CallSource(URI url, Scenario scenario, String kind) {
    this(url, scenario, kind, LoadConnection::open);
  }

  public CallSource(URI url, Scenario scenario, String kind, Connector connector) {
    this.connector = connector;
    this.kind = scenario.kind(url.getScheme(), kind);
    Set<String> used = scenario.variables(url.getScheme(), kind);
    var fixed = new HashMap<String, String>();
    scenario
        .values()
        .forEach((name, list) -> {
          fixed.put(name, list.getFirst());
          if (list.size() == 1 || used.contains(name)) {
            values.put(name, list);
            choices.put(name, scenario.choice(name));
          }
        });
    scenario
        .zipf()
        .forEach((name, it) -> {
          List<String> list = scenario.values().get(it.of());
          if (list == null) {
            throw new IllegalArgumentException(
                "zipf: " + name + ": expected the name of a list, got " + it.of());
          }
          if (used.contains(name)) {
            samplers.put(name, new ZipfSampler(list, it.rotated()));
          }
        });
    String own = this.kind.url();
    this.url = own == null ? url : URI.create(filled(own, fixed, AS_IS));
    this.isHttp = this.url.getScheme().startsWith("http");
    this.check = new ResponseCheck(this.kind.check(), this.url.getScheme());
    String before = this.kind.first();
    this.first = before == null ? null : new CallSource(url, scenario, before, connector);
  }

  /// Where the requests are sent.
  URI url() {
    return url;
  }

  /// Connects to where the requests are sent.
  public LoadConnection open() throws IOException {
    return connector.open(url);
  }

  /// @param client its number, from 0
  public Call next(int client, RandomGenerator random) {
    return next(client, random, Map.of());
  }

  /// @param given values that are not chosen
  Call next(int client, RandomGenerator random, Map<String, String> given) {
    Map<String, String> chosen = chosen(client, random);
    chosen.putAll(given);
    return call(chosen);
  }

  private Call call(Map<String, String> chosen) {
    String text = kind.body() == null ? "" : filled(kind.body(), chosen, IN_JSON);
    String path = filled(kind.path(), chosen, isHttp ? IN_PATH : AS_IS);
    var headers = new HashMap<>(kind.headers());
    headers.replaceAll((_, value) -> filled(value, chosen, AS_IS));
    byte[] request =
        switch (url.getScheme()) {
          case "line" -> (path + "\n").getBytes(UTF_8);
          case "xml" -> (text.getBytes(UTF_8).length + "\n" + text).getBytes(UTF_8);
          case "grpc" -> messages(path).request(text);
          default -> http(path, headers, text);
        };
    return new Call(path, request, headers, chosen);
  }

  private Map<String, String> chosen(int client, RandomGenerator random) {
    var chosen = new HashMap<String, String>();
    chosen.put("client", Integer.toString(client));
    chosen.put("pair", Integer.toString(client / 2));
    chosen.put("call", Long.toString(CALLS.incrementAndGet()));
    long turn = sequence(chosen).calls.getAndIncrement();
    int shared = random.nextInt(Integer.MAX_VALUE);
    values.forEach((name, list) -> {
      long index =
          switch (choices.getOrDefault(name, Scenario.Choice.AT_RANDOM)) {
            case BY_CLIENT -> client;
            case IN_TURNS -> turn;
            case SHARED -> shared;
            case AT_RANDOM -> random.nextInt(list.size());
          };
      chosen.put(name, list.get((int) (index % list.size())));
    });
    samplers.forEach((name, sampler) -> chosen.put(name, sampler.next(random)));
    return chosen;
  }

  private Sequence sequence(Map<String, String> chosen) {
    return sequences.computeIfAbsent(chosen.getOrDefault("client", ""), _ -> new Sequence());
  }

  private GrpcMessages messages(String method) {
    return messages.computeIfAbsent(method, GrpcMessages::of);
  }

  private byte[] http(String path, Map<String, String> headers, String body) {
    var head = new StringBuilder();
    head.append(kind.method()).append(' ').append(path).append(" HTTP/1.1\r\nHost: ");
    head.append(url.getAuthority()).append("\r\nAccept: application/json\r\n");
    headers.forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
    if (kind.body() != null) {
      head.append("Content-Type: application/json\r\nContent-Length: ");
      head.append(body.getBytes(UTF_8).length).append("\r\n");
    }
    return head.append("\r\n").append(body).toString().getBytes(UTF_8);
  }

  /// Sends a call: the first request of its kind, if it has one, and its own.
  ///
  /// @throws UnexpectedResponseException if the first response is wrong
  LoadConnection.Response send(LoadConnection connection, Call call) throws IOException {
    if (first != null) {
      Call before = first.call(call.chosen());
      first.requireCorrect(before, connection.send(before));
    }
    return connection.send(call);
  }

  void requireCorrect(Call call, LoadConnection.Response response)
      throws UnexpectedResponseException {
    Verdict verdict = verdict(call, response, false);
    if (verdict instanceof Verdict.Refused(String why, String text)) {
      verdict = new Verdict.Wrong(why, text);
    }
    if (verdict instanceof Verdict.Wrong wrong) {
      String request = isHttp ? kind.method() + " " + call.path() : call.path();
      throw new UnexpectedResponseException(request, wrong);
    }
  }

  /// Checks a response.
  ///
  /// @param inOrder whether the client has waited for its response before it sends again
  public Verdict verdict(Call call, LoadConnection.Response response, boolean inOrder) {
    AtomicLong highest = inOrder ? sequence(call.chosen()).highestNumber : null;
    return check.verdict(
        response, grpc(call), expected -> filled(expected, call.chosen(), AS_IS), highest);
  }

  private @Nullable GrpcMessages grpc(Call call) {
    return url.getScheme().equals("grpc") ? messages(call.path()) : null;
  }

  /// The body of the response to a call that needs nothing of a client.
  ///
  /// @throws UnexpectedResponseException if the response is wrong
  public JsonNode answer() throws IOException {
    return answer(Map.of());
  }

  /// As [#answer], with values that are not chosen.
  public JsonNode answer(Map<String, String> given) throws IOException {
    Call call = next(0, new SplittableRandom(), given);
    try (LoadConnection connection = open()) {
      LoadConnection.Response response = connection.send(call);
      requireCorrect(call, response);
      return check.body(check.text(response, grpc(call)));
    }
  }

  /// The values that are kept of a response.
  ///
  /// @param keep a JSON pointer into the response, or a text with variables, by the name of a value
  Map<String, String> kept(Map<String, String> keep, Call call, LoadConnection.Response response)
      throws IOException {
    var kept = new HashMap<String, String>();
    for (Map.Entry<String, String> it : keep.entrySet()) {
      kept.put(
          it.getKey(),
          it.getValue().startsWith("/")
              ? check.body(check.text(response, grpc(call))).at(it.getValue()).asString("")
              : filled(it.getValue(), call.chosen(), AS_IS));
    }
    return kept;
  }

  private static String filled(
      String template, Map<String, String> chosen, UnaryOperator<String> encoding) {
    return Scenario.VARIABLE
        .matcher(template)
        .replaceAll(it -> {
          String value = chosen.get(it.group(1));
          return Matcher.quoteReplacement(value == null ? it.group() : encoding.apply(value));
        });
  }
}
