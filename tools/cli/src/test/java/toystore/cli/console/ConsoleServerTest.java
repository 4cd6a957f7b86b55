package toystore.cli.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.StreamHandler;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import toystore.cli.console.Loads.LoadOrder;
import toystore.clients.FreePorts;
import toystore.clients.RawClient;

/// Who gets an answer from the console's port, and which.
final class ConsoleServerTest {
  private static final Pattern ASSET = Pattern.compile("(?:href|src)=\"([^\"#/:]+)\"");

  private static final String BUY = "{\"kind\":\"buy\",\"clients\":7,\"probability\":0}";

  private final int port = FreePorts.free();
  private final ConsoleServer server =
      new ConsoleServer(
          port, request -> Map.of("clients", request.body(LoadOrder.class).clients()));
  private final String host = "Host: 127.0.0.1:" + port + "\r\n";
  private final String token =
      "Authorization: Bearer " + server.url().replaceAll(".*#", "") + "\r\n";

  ConsoleServerTest() throws IOException {}

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void pageAndItsFilesNeedNoToken() throws IOException {
    var page = get("/", host);

    assertThat(page)
        .startsWith("HTTP/1.1 200 ")
        .contains("script-src 'self'; style-src 'self'", "frame-ancestors 'none'")
        .doesNotContain("<script>", "<style", "style=", "onclick");
    assertThat(ASSET.matcher(page).results().map(it -> it.group(1)))
        .hasSize(4)
        .allSatisfy(file -> assertThat(get("/" + file, host)).startsWith("HTTP/1.1 200 "));
    assertThat(get("/other.js", host)).contains(" 404 ", "no such path: /other.js");
  }

  /// Logs of the JDK go to the terminal of `./toystore up`.
  @Test
  void headIsAnsweredWithoutABodyOrAWarning() throws IOException {
    var logger = Logger.getLogger("com.sun.net.httpserver");
    var warnings = new ConcurrentLinkedQueue<String>();
    var handler =
        new StreamHandler() {
          @Override
          public synchronized void publish(LogRecord entry) {
            warnings.add(entry.getMessage());
          }
        };
    logger.addHandler(handler);
    var answer = exchange("HEAD / HTTP/1.1\r\n" + host);
    logger.removeHandler(handler);

    assertThat(answer).startsWith("HTTP/1.1 200 ").endsWith("\r\n\r\n");
    assertThat(answer.toLowerCase(Locale.ROOT))
        .contains("content-type: text/html", "content-length: ");
    assertThat(warnings).isEmpty();
  }

  /// Every user of the machine can connect, without the token.
  @Test
  void idleConnectionsDoNotLockTheConsole() throws IOException {
    var idle = new ArrayList<Socket>();
    try {
      for (var i = 0; i < 400; i++) {
        var socket = new Socket("127.0.0.1", port);
        idle.add(socket);
        if (i % 2 == 0) {
          socket.getOutputStream().write("POST /api/load HTTP/1.1\r\nHost: ".getBytes(UTF_8));
        }
      }
      assertThat(get("/", host)).startsWith("HTTP/1.1 200 ");
    } finally {
      for (var socket : idle) {
        socket.close();
      }
    }
  }

  @Test
  void callNeedsTheToken() throws IOException {
    assertThat(post(host + token, BUY)).startsWith("HTTP/1.1 200 ").endsWith("{\"clients\":7}");
    assertThat(post(host, BUY))
        .startsWith("HTTP/1.1 401 ")
        .contains("the token is missing or wrong");
    assertThat(post(host + "Authorization: Bearer x\r\n", BUY)).startsWith("HTTP/1.1 401 ");
    assertThat(server.url()).matches("http://127\\.0\\.0\\.1:" + port + "/#[\\w-]{24}");
  }

  /// DNS rebinding: the page of another site has its own name.
  @ParameterizedTest
  @ValueSource(strings = {"shop.example", "127.0.0.1.example:8079", "10.0.0.1", ""})
  void anotherHostIsRefused(String name) throws IOException {
    assertThat(get("/", "Host: " + name + "\r\n")).contains(" 421 ", "Host must be 127.0.0.1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost", "LOCALHOST:8079", "[::1]:8079"})
  void namesOfThisMachineAreAccepted(String name) throws IOException {
    assertThat(get("/", "Host: " + name + "\r\n")).startsWith("HTTP/1.1 200 ");
  }

  /// A proxy may change `Host` and `Origin` to localhost; not `Sec-Fetch-Site`.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Sec-Fetch-Site: cross-site",
        "Sec-Fetch-Site: same-site",
        "Sec-Fetch-Site: cross-site\r\nOrigin: http://localhost:8079",
        "Origin: http://shop.example",
        "Origin: https://toys-8079.app.github.dev",
        "Origin: http://localhost:8080",
        "Origin: https://localhost",
        "Origin: null"
      })
  void callOfAnotherSiteIsRefused(String headers) throws IOException {
    assertThat(post("Host: localhost:8079\r\n" + token + headers + "\r\n", BUY))
        .contains(" 403 ", "cross-site requests are not allowed");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Sec-Fetch-Site: same-origin\r\nOrigin: http://localhost:8079",
        "Sec-Fetch-Site: same-origin\r\nOrigin: https://toys-8079.app.github.dev",
        "Sec-Fetch-Site: same-origin\r\nOrigin: https://localhost",
        "Origin: http://localhost:8079",
        "Origin: https://LOCALHOST:8079"
      })
  void callOfThePageIsAnsweredBehindAProxyToo(String headers) throws IOException {
    assertThat(post("Host: localhost:8079\r\n" + token + headers + "\r\n", BUY))
        .startsWith("HTTP/1.1 200 ");
  }

  /// As from the terminal of an editor in the browser, or after a login at the proxy.
  @Test
  void linkOfAnotherSiteOpensThePage() throws IOException {
    assertThat(get("/", host + "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n"))
        .startsWith("HTTP/1.1 200 ");
  }

  @Test
  void invalidBodyIsExplained() throws IOException {
    assertThat(post(host + token, "{\"kind\":\"steal\",\"clients\":1,\"probability\":0}"))
        .contains(" 400 ", "kind must be one of [buy, exchange, mix");
    assertThat(post(host + token, "{\"kind\":\"buy\",\"clients\":65,\"probability\":0}"))
        .contains(" 400 ", "clients must be from 1 to 64; got 65");
    assertThat(post(host + token, "{\"kind\":\"buy\",\"clients\":1,\"probability\":0,\"ě\":1}"))
        .contains(" 400 ", "request body is not valid: unknown field ě\"");
    assertThat(post(host + token, "{\"kind\":\"buy\",\"clients\":\"ě\",\"probability\":0}"))
        .contains(" 400 ", "the value of clients is missing or has the wrong type\"");
    assertThat(post(host + token, "{\"kind\":null,\"clients\":1,\"probability\":0}"))
        .contains(" 400 ", "kind must be one of [buy, exchange, mix", "got null");
    assertThat(post(host + token, "{\"clients\":1}")).contains(" 400 ").doesNotContain("toystore");
    for (var body : List.of("null", "[]", "{", "", "7", "\"buy\"")) {
      assertThat(post(host + token, body))
          .as(body)
          .contains(" 400 ")
          .doesNotContain("Exception", "toystore.", "java.");
    }
    assertThat(post(host + token, "null")).contains("must be a JSON object; got null");
    assertThat(post(host + token, " ".repeat(5_000))).contains(" 413 ", "at most 4096 bytes");
  }

  private String get(String path, String headers) throws IOException {
    return exchange("GET " + path + " HTTP/1.1\r\n" + headers);
  }

  private String exchange(String head) throws IOException {
    return RawClient.exchange(port, head + "Connection: close\r\n\r\n");
  }

  private String post(String headers, String body) throws IOException {
    var length = "Content-Length: " + body.getBytes(UTF_8).length + "\r\n";
    return RawClient.exchange(
        port,
        "POST /api/load HTTP/1.1\r\n" + headers + length + "Connection: close\r\n\r\n" + body);
  }
}
