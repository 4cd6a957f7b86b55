package toystore.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
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

  @Test
  void callNeedsTheToken() throws IOException {
    var body = "{\"kind\":\"buy\",\"clients\":7,\"probability\":0}";

    assertThat(post(host + token, body)).startsWith("HTTP/1.1 200 ").endsWith("{\"clients\":7}");
    assertThat(post(host, body))
        .startsWith("HTTP/1.1 401 ")
        .contains("the token is missing or wrong");
    assertThat(post(host + "Authorization: Bearer x\r\n", body)).startsWith("HTTP/1.1 401 ");
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

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Sec-Fetch-Site: cross-site",
        "Sec-Fetch-Site: same-site",
        "Origin: http://shop.example",
        "Origin: null"
      })
  void anotherSiteIsRefused(String header) throws IOException {
    assertThat(get("/", host + token + header + "\r\n"))
        .contains(" 403 ", "cross-site requests are not allowed");
  }

  @Test
  void invalidBodyIsExplained() throws IOException {
    assertThat(post(host + token, "{\"kind\":\"steal\",\"clients\":1,\"probability\":0}"))
        .contains(" 400 ", "kind must be one of [buy, exchange, mix");
    assertThat(post(host + token, "{\"kind\":\"buy\",\"clients\":65,\"probability\":0}"))
        .contains(" 400 ", "clients must be from 1 to 64; got 65");
    assertThat(post(host + token, "{\"kind\":\"buy\",\"client\":1}"))
        .contains(" 400 ", "request body is not valid");
    assertThat(post(host + token, "{")).contains(" 400 ", "request body is not valid");
    assertThat(post(host + token, " ".repeat(5_000))).contains(" 413 ", "at most 4096 bytes");
  }

  private String get(String path, String headers) throws IOException {
    return RawClient.exchange(
        port, "GET " + path + " HTTP/1.1\r\n" + headers + "Connection: close\r\n\r\n");
  }

  private String post(String headers, String body) throws IOException {
    var length = "Content-Length: " + body.length() + "\r\n";
    return RawClient.exchange(
        port,
        "POST /api/load HTTP/1.1\r\n" + headers + length + "Connection: close\r\n\r\n" + body);
  }
}
