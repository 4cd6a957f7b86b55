package toystore.lab.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.util.HashMap;
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

/// Makes the requests of one kind and checks their responses. Any thread.
final class CallSource {
  private static final AtomicLong CALLS = new AtomicLong();
  private static final Pattern VARIABLE = Pattern.compile("\\{([a-z0-9_]+)}");

  private final URI url;
  private final Map<String, GrpcMessages> messages = new ConcurrentHashMap<>(); // by method
  private final Scenario.Kind kind;
  private final Map<String, List<String>> values;
  private final Set<String> kept;
  private final @Nullable CallSource first;
  private final Set<String> seen = ConcurrentHashMap.newKeySet();

  /// A request, and the values that its response must have.
  ///
  /// @param path of the URL, or the gRPC method
  /// @param bytes the whole request; for gRPC the message
  /// @param metadata of gRPC
  /// @param chosen value by variable
  record Call(String path, byte[] bytes, Map<String, String> metadata, Map<String, String> chosen) {
    Call(String path, byte[] bytes, Map<String, String> chosen) {
      this(path, bytes, Map.of(), chosen);
    }
  }

  static final UnaryOperator<String> AS_IS = value -> value;
  private static final UnaryOperator<String> IN_PATH =
      value -> URLEncoder.encode(value, UTF_8).replace("+", "%20");
  private static final UnaryOperator<String> IN_JSON =
      value -> new String(JsonStringEncoder.getInstance().quoteAsString(value));

  CallSource(URI url, Scenario scenario, String kind) {
    this.kind = scenario.kind(url.getScheme(), kind);
    this.values = scenario.values();
    this.kept = scenario.kept();
    String own = this.kind.url();
    this.url =
        own == null ? url : URI.create(filled(own, chosen(0, new SplittableRandom()), AS_IS));
    String before = this.kind.first();
    this.first = before == null ? null : new CallSource(url, scenario, before);
  }

  /// Where the requests are sent.
  URI url() {
    return url;
  }

  /// @param client its number, from 0
  /// @param traced whether the response shall say in which part of the store the time was spent
  Call next(int client, RandomGenerator random, boolean traced) {
    return call(chosen(client, random), traced);
  }

  private Call call(Map<String, String> chosen, boolean traced) {
    String text = kind.body() == null ? "" : filled(kind.body(), chosen, IN_JSON);
    switch (url.getScheme()) {
      case "line" -> {
        String line = filled(kind.path(), chosen, AS_IS);
        return new Call(line, (line + "\n").getBytes(UTF_8), chosen);
      }
      case "xml" -> {
        byte[] document = text.getBytes(UTF_8);
        return new Call(kind.path(), (document.length + "\n" + text).getBytes(UTF_8), chosen);
      }
      case "grpc" -> {
        String method = filled(kind.path(), chosen, AS_IS);
        var metadata = new HashMap<>(kind.headers());
        metadata.replaceAll((_, value) -> filled(value, chosen, AS_IS));
        return new Call(method, messages(method).request(text), metadata, chosen);
      }
      default -> {
        String path = filled(kind.path(), chosen, IN_PATH);
        return new Call(path, http(path, text, chosen, traced), chosen);
      }
    }
  }

  /// Sends a call: the first request of its kind, if it has one, and its own.
  ///
  /// @throws IOException also if the first response is wrong
  LoadConnection.Response send(LoadConnection connection, Call call) throws IOException {
    if (first != null) {
      Call before = first.call(call.chosen(), false);
      String fault = first.fault(before, connection.send(before));
      if (fault != null) {
        throw new IOException(String.format(Locale.ROOT, "%s: %s", before.path(), fault));
      }
    }
    return connection.send(call);
  }

  private Map<String, String> chosen(int client, RandomGenerator random) {
    var chosen = new HashMap<String, String>();
    chosen.put("client", Integer.toString(client));
    chosen.put("pair", Integer.toString(client / 2));
    chosen.put("call", Long.toString(CALLS.incrementAndGet()));
    values.forEach((name, list) -> {
      int index = kept.contains(name) ? client % list.size() : random.nextInt(list.size());
      chosen.put(name, list.get(index));
    });
    return chosen;
  }

  private GrpcMessages messages(String method) {
    return messages.computeIfAbsent(method, GrpcMessages::of);
  }

  private byte[] http(String path, String body, Map<String, String> chosen, boolean traced) {
    var head = new StringBuilder();
    head.append(kind.method()).append(' ').append(path).append(" HTTP/1.1\r\nHost: ");
    head.append(url.getAuthority()).append("\r\nAccept: application/json\r\n");
    kind.headers()
        .forEach((name, value) ->
            head.append(
                String.format(Locale.ROOT, "%s: %s\r\n", name, filled(value, chosen, AS_IS))));
    if (traced) {
      head.append("Prefer: server-timing\r\n");
    }
    if (kind.body() != null) {
      head.append("Content-Type: application/json\r\nContent-Length: ");
      head.append(body.getBytes(UTF_8).length).append("\r\n");
    }
    return head.append("\r\n").append(body).toString().getBytes(UTF_8);
  }

  /// Returns what is wrong with a response; null if it is as expected.
  @Nullable String fault(Call call, LoadConnection.Response response) {
    Scenario.Check check = kind.check();
    if (response.status() != check.status()) {
      return String.format(
          Locale.ROOT,
          "expected status %d, got %d: %s",
          check.status(),
          response.status(),
          brief(response.text()));
    }
    if (check.isOfStatus()) {
      return null;
    }
    try {
      String text =
          url.getScheme().equals("grpc")
              ? messages(call.path()).response(response.body())
              : response.text();
      JsonNode body = Scenario.json(text);
      for (String pointer : check.present()) {
        if (body.at(pointer).isMissingNode()) {
          return String.format(Locale.ROOT, "expected a value at %s, got %s", pointer, brief(text));
        }
      }
      for (Map.Entry<String, String> expected : check.equal().entrySet()) {
        String value = filled(expected.getValue(), call.chosen(), AS_IS);
        if (!body.at(expected.getKey()).asText().equals(value)) {
          return String.format(
              Locale.ROOT, "expected %s at %s, got %s", value, expected.getKey(), brief(text));
        }
      }
      String unique = check.unique();
      if (unique != null && !seen.add(body.at(unique).asText())) {
        return String.format(Locale.ROOT, "%s was returned twice: %s", unique, brief(text));
      }
      return null;
    } catch (IOException e) {
      return String.format(Locale.ROOT, "expected JSON, got %s", brief(response.text()));
    }
  }

  private static String brief(String body) {
    return body.length() <= 200 ? body : body.substring(0, 200) + "…";
  }

  static String filled(
      String template, Map<String, String> chosen, UnaryOperator<String> encoding) {
    return VARIABLE
        .matcher(template)
        .replaceAll(it -> {
          String value = chosen.get(it.group(1));
          return Matcher.quoteReplacement(value == null ? it.group() : encoding.apply(value));
        });
  }
}
