package toystore.lab.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Makes the requests of one kind and checks their responses. Any thread.
final class CallSource {
  private static final Pattern VARIABLE = Pattern.compile("\\{([a-z_]+)}");

  private final URI url;
  private final Scenario.Kind kind;
  private final Map<String, List<String>> values;
  private final Set<String> seen = ConcurrentHashMap.newKeySet();

  /// A request, and the values that its response must have.
  ///
  /// @param bytes the whole request
  /// @param chosen value by variable
  record Call(byte[] bytes, Map<String, String> chosen) {}

  CallSource(URI url, Scenario scenario, String kind) {
    this.url = url;
    this.kind = scenario.kind(kind);
    this.values = scenario.values();
  }

  /// @param traced whether the response shall say in which part of the store the time was spent
  Call next(RandomGenerator random, boolean traced) {
    var chosen = new HashMap<String, String>();
    values.forEach((name, list) -> chosen.put(name, list.get(random.nextInt(list.size()))));
    String path =
        filled(kind.path(), chosen, it -> URLEncoder.encode(it, UTF_8).replace("+", "%20"));
    String text = kind.body();
    byte[] body =
        text == null
            ? new byte[0]
            : filled(
                    text,
                    chosen,
                    it -> new String(JsonStringEncoder.getInstance().quoteAsString(it)))
                .getBytes(UTF_8);
    var head = new StringBuilder();
    head.append(kind.method()).append(' ').append(path).append(" HTTP/1.1\r\nHost: ");
    head.append(url.getAuthority()).append("\r\nAccept: application/json\r\n");
    headers().forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
    if (traced) {
      head.append("Prefer: server-timing\r\n");
    }
    if (text != null) {
      head.append("Content-Type: application/json\r\nContent-Length: ");
      head.append(body.length).append("\r\n");
    }
    byte[] first = head.append("\r\n").toString().getBytes(UTF_8);
    byte[] bytes = java.util.Arrays.copyOf(first, first.length + body.length);
    System.arraycopy(body, 0, bytes, first.length, body.length);
    return new Call(bytes, chosen);
  }

  private Map<String, String> headers() {
    Map<String, String> headers = kind.headers();
    return headers == null ? Map.of() : headers;
  }

  /// Returns what is wrong with a response; null if it is as expected.
  @Nullable String fault(Call call, HttpConnection.Response response) {
    Scenario.Check check = kind.check();
    if (response.status() != check.status()) {
      return "expected status %d, got %d: %s"
          .formatted(check.status(), response.status(), brief(response.body()));
    }
    try {
      JsonNode body = Scenario.json(response.body());
      for (String pointer : orEmpty(check.present())) {
        if (body.at(pointer).isMissingNode()) {
          return "expected a value at %s, got %s".formatted(pointer, brief(response.body()));
        }
      }
      for (var expected :
          check.equal() == null ? Set.<Map.Entry<String, String>>of() : check.equal().entrySet()) {
        String value = filled(expected.getValue(), call.chosen(), it -> it);
        if (!body.at(expected.getKey()).asText().equals(value)) {
          return "expected %s at %s, got %s"
              .formatted(value, expected.getKey(), brief(response.body()));
        }
      }
      String unique = check.unique();
      if (unique != null && !seen.add(body.at(unique).asText())) {
        return "%s was returned twice: %s".formatted(unique, brief(response.body()));
      }
      return null;
    } catch (IOException e) {
      return "expected JSON, got %s".formatted(brief(response.body()));
    }
  }

  private static List<String> orEmpty(@Nullable List<String> list) {
    return list == null ? List.of() : list;
  }

  private static String brief(String body) {
    return body.length() <= 200 ? body : body.substring(0, 200) + "…";
  }

  private interface Encoding {
    String of(String value);
  }

  private static String filled(String template, Map<String, String> chosen, Encoding encoding) {
    return VARIABLE
        .matcher(template)
        .replaceAll(it -> {
          String value = chosen.get(it.group(1));
          return Matcher.quoteReplacement(value == null ? it.group() : encoding.of(value));
        });
  }
}
