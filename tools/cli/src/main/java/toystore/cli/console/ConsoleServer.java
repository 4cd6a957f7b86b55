package toystore.cli.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static toystore.common.RootLocale.format;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.databind.json.JsonMapper;
import toystore.cli.command.CommandRefusal;
import toystore.cli.launch.StoreLayout;

/// Serves the console's page to browsers on this machine, and its API to those that have the token.
/// A web page of another site can do neither: its requests have its own name as `Host` (DNS
/// rebinding), or say that they come from another site. Any thread.
final class ConsoleServer implements AutoCloseable {
  static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .build();

  private static final int MAX_BODY = 4096;
  private static final int MAX_REQUESTS = 32;
  private static final String UPLOT = "/META-INF/resources/webjars/uplot/1.6.30/dist/";

  /// The files of the page: path of the URL, resource and type.
  private static final Map<String, Map.Entry<String, String>> FILES =
      Map.of(
          "/", Map.entry("index.html", "text/html; charset=utf-8"),
          "/console.js", Map.entry("console.js", "text/javascript; charset=utf-8"),
          "/console.css", Map.entry("console.css", "text/css; charset=utf-8"),
          "/uplot.js", Map.entry(UPLOT + "uPlot.iife.min.js", "text/javascript; charset=utf-8"),
          "/uplot.css", Map.entry(UPLOT + "uPlot.min.css", "text/css; charset=utf-8"));

  private static final Map<String, String> HEADERS =
      Map.of(
          "Cache-Control", "no-store",
          "Content-Security-Policy",
              "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
                  + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
          "Cross-Origin-Opener-Policy", "same-origin",
          "Cross-Origin-Resource-Policy", "same-origin",
          "Referrer-Policy", "no-referrer",
          "X-Content-Type-Options", "nosniff");

  static {
    // limits of the JDK's server: connections, and seconds for a request and for reading its
    // answer;
    // a connection costs no thread until its request begins
    System.setProperty("jdk.httpserver.maxConnections", "2000");
    System.setProperty("sun.net.httpserver.maxReqTime", "5");
    System.setProperty("sun.net.httpserver.maxRspTime", "60");
  }

  /// Answers requests to the API.
  @FunctionalInterface
  interface Api {
    /// @return what is sent as JSON
    Object answer(ApiRequest request) throws IOException, InterruptedException;
  }

  /// A request to the API.
  ///
  /// @param call its method and path
  record ApiRequest(String call, String query, byte[] json) {
    /// The value of a query parameter; empty if it is not given.
    String parameter(String name) {
      Matcher given = Pattern.compile("(?:^|&)" + name + "=([^&]*)").matcher(query);
      return given.find() ? given.group(1) : "";
    }

    /// As [#parameter]; 0 if it is not given.
    long number(String name) {
      String given = parameter(name).isEmpty() ? "0" : parameter(name);
      if (!given.matches("\\d{1,12}")) {
        throw new ConsoleRefusal(400, "%s must be a whole number; got \"%s\"", name, given);
      }
      return Long.parseLong(given);
    }

    <T> T body(Class<T> type) {
      T body = JSON.readValue(json, type);
      if (body == null) {
        throw new ConsoleRefusal(400, "request body must be a JSON object; got null");
      }
      return body;
    }
  }

  private record Answer(int status, String type, byte[] body) {}

  private final Api api;
  private final byte[] token;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Semaphore permits = new Semaphore(MAX_REQUESTS);
  private final HttpServer server;

  /// Listens on a port of 127.0.0.1.
  ConsoleServer(int port, Api api) throws IOException {
    var random = new byte[18];
    new SecureRandom().nextBytes(random);
    this.api = api;
    this.token = Base64.getUrlEncoder().withoutPadding().encode(random);
    this.server =
        HttpServer.create(
            new InetSocketAddress(InetAddress.ofLiteral(StoreLayout.LOOPBACK), port), 0);
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  /// The address of the page, with the token, which a browser sends to no server.
  String url() {
    return format(
        "http://127.0.0.1:%d/#%s", server.getAddress().getPort(), new String(token, UTF_8));
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      Answer answer = answer(exchange);
      HEADERS.forEach(exchange.getResponseHeaders()::set);
      exchange.getResponseHeaders().set("Content-Type", answer.type);
      if (exchange.getRequestMethod().equals("HEAD")) {
        String length = Integer.toString(answer.body.length);
        exchange.getResponseHeaders().set("Content-Length", length);
        exchange.sendResponseHeaders(answer.status, -1);
      } else {
        exchange.sendResponseHeaders(answer.status, answer.body.length);
        exchange.getResponseBody().write(answer.body);
      }
    }
  }

  private Answer answer(HttpExchange exchange) throws IOException {
    if (!permits.tryAcquire()) {
      return error(503, "more than " + MAX_REQUESTS + " requests at once; retry later");
    }
    try {
      requireThisMachine(exchange);
      String path = exchange.getRequestURI().getPath();
      return path.startsWith("/api/") ? api(exchange) : file(exchange.getRequestMethod(), path);
    } catch (ConsoleRefusal refused) {
      return error(refused.status(), refused.getMessage());
    } catch (JacksonException invalid) {
      return invalid.getCause() instanceof ConsoleRefusal refused
          ? error(refused.status(), refused.getMessage())
          : error(400, "request body is not valid: " + describe(invalid));
    } catch (CommandRefusal refused) { // of a load that cannot be prepared
      return error(409, refused.getMessage());
    } catch (IOException unreachable) {
      return error(502, unreachable.toString());
    } catch (InterruptedException ending) {
      return error(503, "the console is stopping");
    } catch (RuntimeException bug) {
      return error(500, bug.toString());
    } finally {
      permits.release();
    }
  }

  /// Jackson's own messages name classes.
  private static String describe(JacksonException invalid) {
    String field =
        invalid.getPath().stream()
            .map(it -> String.valueOf(it.getPropertyName()))
            .collect(Collectors.joining("."));
    if (invalid instanceof UnrecognizedPropertyException) {
      return "unknown field " + field;
    }
    return field.isEmpty()
        ? "expected a JSON object"
        : "the value of " + field + " is missing or has the wrong type";
  }

  private static void requireThisMachine(HttpExchange exchange) {
    String host = exchange.getRequestHeaders().getFirst("Host");
    if (host == null || !host.matches("(?i)(127\\.0\\.0\\.1|localhost|\\[::1])(:\\d+)?")) {
      throw new ConsoleRefusal(421, "Host must be 127.0.0.1 or localhost; got \"%s\"", host);
    }
  }

  private Answer api(HttpExchange exchange) throws IOException, InterruptedException {
    if (isCrossSite(exchange.getRequestHeaders())) {
      throw new ConsoleRefusal(403, "cross-site requests are not allowed");
    }
    String given = exchange.getRequestHeaders().getFirst("Authorization");
    if (given == null
        || !MessageDigest.isEqual(
            given.getBytes(UTF_8), ("Bearer " + new String(token, UTF_8)).getBytes(UTF_8))) {
      throw new ConsoleRefusal(
          401, "the token is missing or wrong; open the address that ./toystore up printed");
    }
    byte[] body = exchange.getRequestBody().readNBytes(MAX_BODY + 1);
    if (body.length > MAX_BODY) {
      throw new ConsoleRefusal(413, "request body must have at most %d bytes", MAX_BODY);
    }
    URI uri = exchange.getRequestURI();
    String call = exchange.getRequestMethod() + " " + uri.getPath();
    String query = uri.getQuery() == null ? "" : uri.getQuery();
    return json(200, api.answer(new ApiRequest(call, query, body)));
  }

  /// Current browsers send `Sec-Fetch-Site`, which no page can set. It also holds behind a proxy
  /// that changes `Host` or `Origin`, such as that of GitHub Codespaces. Older browsers send only
  /// `Origin`.
  private static boolean isCrossSite(Headers request) {
    String site = request.getFirst("Sec-Fetch-Site");
    if (site != null) {
      return !site.equals("same-origin") && !site.equals("none");
    }
    String origin = request.getFirst("Origin");
    String host = request.getFirst("Host");
    return origin != null
        && !origin.equalsIgnoreCase("http://" + host)
        && !origin.equalsIgnoreCase("https://" + host);
  }

  private static Answer file(String method, String path) throws IOException {
    Map.Entry<String, String> file = FILES.get(path);
    if (file == null) {
      throw new ConsoleRefusal(404, "no such path: %s", path);
    }
    if (!method.equals("GET") && !method.equals("HEAD")) {
      throw new ConsoleRefusal(405, "method must be GET or HEAD; got %s", method);
    }
    try (InputStream resource = ConsoleServer.class.getResourceAsStream(file.getKey())) {
      return new Answer(200, file.getValue(), requireNonNull(resource).readAllBytes());
    }
  }

  private static Answer error(int status, @Nullable String message) {
    return json(
        status, Map.of("error", Map.of("code", status, "message", String.valueOf(message))));
  }

  private static Answer json(int status, Object value) {
    return new Answer(status, "application/json", JSON.writeValueAsBytes(value));
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
