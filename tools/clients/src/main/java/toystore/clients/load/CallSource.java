package toystore.clients.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.InvalidProtocolBufferException;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.io.JsonStringEncoder;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Makes the requests of one kind and checks their responses. Any thread.
public final class CallSource {
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();
  private static final AtomicLong CALLS = new AtomicLong();
  private static final Pattern ATTRIBUTE = Pattern.compile("([a-z]+)=\"([^\"]*)\"");
  private static final Pattern WHOLE_NUMBER = Pattern.compile("-?\\d{1,18}");
  private static final int MAX_SEEN = 100_000;
  private static final int MAX_EXAMPLE = 200;
  private static final Verdict CORRECT = new Verdict.Correct();

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
  private final boolean isStatusChecked; // and nothing else
  private final Map<String, List<String>> values = new HashMap<>(); // that may be used
  private final Map<String, Scenario.Choice> choices = new HashMap<>(); // by value
  private final @Nullable CallSource first;
  private final Map<String, Sequence> sequences = new ConcurrentHashMap<>(); // by client

  /// The unique values of the last responses.
  private final Set<String> seen =
      Collections.synchronizedSet(
          Collections.newSetFromMap(
              new LinkedHashMap<>() {
                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
                  return size() > MAX_SEEN;
                }
              }));

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
    this.isStatusChecked = this.kind.check().equals(Scenario.Check.of(this.kind.check().status()));
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
    String own = this.kind.url();
    this.url = own == null ? url : URI.create(filled(own, fixed, AS_IS));
    this.isHttp = this.url.getScheme().startsWith("http");
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
  /// @param traced whether the response shall say in which part of the store the time was spent
  public Call next(int client, RandomGenerator random, boolean traced) {
    return call(chosen(client, random), traced);
  }

  private Call call(Map<String, String> chosen, boolean traced) {
    String text = kind.body() == null ? "" : filled(kind.body(), chosen, IN_JSON);
    String path = filled(kind.path(), chosen, isHttp ? IN_PATH : AS_IS);
    var headers = new HashMap<>(kind.headers());
    headers.replaceAll((_, value) -> filled(value, chosen, AS_IS));
    byte[] request =
        switch (url.getScheme()) {
          case "line" -> (path + "\n").getBytes(UTF_8);
          case "xml" -> (text.getBytes(UTF_8).length + "\n" + text).getBytes(UTF_8);
          case "grpc" -> messages(path).request(text);
          default -> http(path, headers, text, traced);
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
    return chosen;
  }

  private Sequence sequence(Map<String, String> chosen) {
    return sequences.computeIfAbsent(chosen.getOrDefault("client", ""), _ -> new Sequence());
  }

  private GrpcMessages messages(String method) {
    return messages.computeIfAbsent(method, GrpcMessages::of);
  }

  private byte[] http(String path, Map<String, String> headers, String body, boolean traced) {
    var head = new StringBuilder();
    head.append(kind.method()).append(' ').append(path).append(" HTTP/1.1\r\nHost: ");
    head.append(url.getAuthority()).append("\r\nAccept: application/json\r\n");
    headers.forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
    if (traced) {
      head.append("Prefer: server-timing\r\n");
    }
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
      Call before = first.call(call.chosen(), false);
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
    Scenario.Check check = kind.check();
    boolean isOfStatus = response.status() == check.status();
    if (isOfStatus && isStatusChecked) {
      return CORRECT;
    }
    try {
      String text = isOfStatus ? text(call, response) : response.text();
      for (Scenario.Refusal refusal : check.refusals()) {
        if (refusal.matches(response.status(), text)) {
          return new Verdict.Refused(refusal.name(), brief(text));
        }
      }
      String fault =
          isOfStatus
              ? fault(call, body(text), inOrder)
              : String.format(
                  Locale.ROOT, "status %d, expected %d", response.status(), check.status());
      return fault == null ? CORRECT : new Verdict.Wrong(fault, brief(text));
    } catch (JacksonException | InvalidProtocolBufferException e) {
      return new Verdict.Wrong("response is not JSON", brief(response.text()));
    }
  }

  private String text(Call call, LoadConnection.Response response)
      throws InvalidProtocolBufferException {
    return url.getScheme().equals("grpc")
        ? messages(call.path()).response(response.body())
        : response.text();
  }

  /// The response as JSON; of XML all attributes, of a line nothing.
  private JsonNode body(String text) {
    if (isHttp || url.getScheme().equals("grpc")) {
      return JSON.readTree(text);
    }
    var attributes = JSON.createObjectNode();
    ATTRIBUTE.matcher(text).results().forEach(it -> attributes.put(it.group(1), it.group(2)));
    return attributes;
  }

  /// Returns what is wrong with a response; null if it is as expected.
  private @Nullable String fault(Call call, JsonNode body, boolean inOrder) {
    Scenario.Check check = kind.check();
    for (String pointer : check.present()) {
      if (body.at(pointer).isMissingNode() || body.at(pointer).isNull()) {
        return field(pointer) + " missing";
      }
    }
    for (String pointer : check.absent()) {
      if (!body.at(pointer).isMissingNode()) {
        return pointer + " unexpected";
      }
    }
    for (Map.Entry<String, String> expected : check.equal().entrySet()) {
      String value = filled(expected.getValue(), call.chosen(), AS_IS);
      if (!body.at(expected.getKey()).asString("").equals(value)) {
        return field(expected.getKey()) + " is not " + value;
      }
    }
    String fault = null;
    if (check.growing() != null) {
      fault = numberFault(check.growing(), body, inOrder ? sequence(call.chosen()) : null);
    }
    String unique = check.unique();
    if (fault == null && unique != null && !seen.add(body.at(unique).asString(""))) {
      fault = field(unique) + " was returned twice";
    }
    return fault;
  }

  private @Nullable String numberFault(String pointer, JsonNode body, @Nullable Sequence client) {
    JsonNode value = body.at(pointer);
    String text = value.asString("");
    if (isHttp && value.isString() || !WHOLE_NUMBER.matcher(text).matches()) {
      return field(pointer) + " missing";
    }
    long number = Long.parseLong(text);
    if (client != null && client.highestNumber.getAndAccumulate(number, Math::max) >= number) {
      return field(pointer) + " not greater than the previous one";
    }
    return seen.add(text) ? null : field(pointer) + " was returned twice";
  }

  private static String field(String pointer) {
    return pointer.substring(pointer.lastIndexOf('/') + 1);
  }

  private static String brief(String response) {
    String text = response.strip();
    return text.length() <= MAX_EXAMPLE ? text : text.substring(0, MAX_EXAMPLE) + "…";
  }

  /// The body of the response to a call that needs nothing of a client.
  ///
  /// @throws UnexpectedResponseException if the response is wrong
  public JsonNode answer() throws IOException {
    Call call = next(0, new SplittableRandom(), false);
    try (LoadConnection connection = open()) {
      LoadConnection.Response response = connection.send(call);
      requireCorrect(call, response);
      return body(text(call, response));
    }
  }

  /// A value that the set-up keeps.
  ///
  /// @param value a JSON pointer into the response, or a text with variables
  String value(String value, Call call, LoadConnection.Response response) throws IOException {
    return value.startsWith("/")
        ? body(text(call, response)).at(value).asString("")
        : filled(value, call.chosen(), AS_IS);
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
