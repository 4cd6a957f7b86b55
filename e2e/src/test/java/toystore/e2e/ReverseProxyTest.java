package toystore.e2e;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static toystore.clients.Conditions.await;
import static toystore.common.RootLocale.format;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import toystore.clients.FreePorts;
import toystore.clients.StoreHttpClient;
import toystore.clients.StoreHttpClient.Reply;

/// The configuration of the reverse proxy, with two fake frontends and a fake DNS server. Skipped
/// if nginx is not installed.
class ReverseProxyTest {
  private static final Path CONFIGURATION = Path.of("../docker/proxy/nginx.conf");

  /// The same port, as in containers.
  private static final List<String> ADDRESSES = List.of("127.0.0.1", "127.0.0.2");

  private final int frontendPort = FreePorts.free();
  private final int proxyPort = FreePorts.free();
  private final StoreHttpClient http = new StoreHttpClient(proxyPort, 0);
  private final ConcurrentLinkedQueue<String> received = new ConcurrentLinkedQueue<>();

  @TempDir Path folder;

  private FakeNames names;
  private List<HttpServer> frontends;
  private Process nginx;

  @BeforeEach
  void start() throws IOException {
    Optional<Path> program = program();
    assumeTrue(program.isPresent(), "nginx is not installed");
    names = new FakeNames(ADDRESSES);
    frontends = ADDRESSES.stream().map(this::frontend).toList();
    String configuration =
        Files.readString(CONFIGURATION)
            .replace("resolver 127.0.0.11", "resolver 127.0.0.1:" + names.port())
            .replace("listen 8080", "listen 127.0.0.1:" + proxyPort)
            .replace("frontend:8080", "frontend:" + frontendPort)
            .replace("/tmp/", folder + "/")
            .replace("worker_processes auto", "worker_processes 1");
    nginx = run(program.get(), configuration);
    await(() -> {
      assertThat(nginx.isAlive()).as("nginx runs, see target/nginx.log").isTrue();
      return answers("/");
    });
    received.clear();
  }

  private Process run(Path program, String configuration) throws IOException {
    Path file = Files.writeString(folder.resolve("nginx.conf"), configuration);
    return new ProcessBuilder(
            program.toString(),
            "-p",
            folder.toString(),
            "-c",
            file.toString(),
            "-g",
            "daemon off; master_process off;")
        .redirectErrorStream(true)
        .redirectOutput(Redirect.to(Path.of("target/nginx.log").toFile()))
        .start();
  }

  private boolean answers(String path) {
    try {
      return http.get(path).status() == 200;
    } catch (IOException notYet) {
      return false;
    }
  }

  private static Optional<Path> program() {
    return Stream.concat(Stream.of(System.getenv("PATH").split(":")), Stream.of("/usr/sbin"))
        .map(folder -> Path.of(folder, "nginx"))
        .filter(Files::isExecutable)
        .findFirst();
  }

  @AfterEach
  void stop() {
    if (nginx != null) {
      nginx.destroy();
      frontends.forEach(it -> it.stop(0));
      names.close();
    }
  }

  /// Answers with what it received. Closes the connection without an answer for `/lost`.
  private HttpServer frontend(String address) {
    try {
      HttpServer server = HttpServer.create(new InetSocketAddress(address, frontendPort), 0);
      server.createContext(
          "/",
          exchange -> {
            received.add(address);
            if (exchange.getRequestURI().getRawPath().equals("/lost")) {
              exchange.close();
            } else {
              answer(exchange);
            }
          });
      server.start();
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), US_ASCII);
      byte[] text =
          format(
                  "%s %s %s X-Forwarded-For=%s X-Forwarded-Prefix=%s Host=%s",
                  exchange.getRequestMethod(),
                  exchange.getRequestURI(),
                  body,
                  exchange.getRequestHeaders().get("X-Forwarded-For"),
                  exchange.getRequestHeaders().get("X-Forwarded-Prefix"),
                  exchange.getRequestHeaders().getFirst("Host"))
              .getBytes(US_ASCII);
      exchange.sendResponseHeaders(200, text.length);
      exchange.getResponseBody().write(text);
    }
  }

  @Test
  void requestArrivesUnchangedWithItsHostAndTheClientsAddress() throws IOException {
    for (String method : List.of("POST", "DELETE")) {
      Reply reply =
          http.send(
              method,
              "/a%20b%2Fc?q=%22",
              "body",
              "X-Forwarded-For",
              "203.0.113.1",
              "X-Forwarded-Prefix",
              "/other");
      assertThat(reply.body())
          .isEqualTo(
              method
                  + " /a%20b%2Fc?q=%22 body X-Forwarded-For=[127.0.0.1] X-Forwarded-Prefix=null Host=127.0.0.1:"
                  + proxyPort);
    }
  }

  /// The lines of docs/how-to/reverse-proxy.md for a shop below a path.
  @Test
  void documentedPathPrefixIsRemovedFromThePathAndNamed() throws Exception {
    nginx.destroy();
    nginx.waitFor();
    String[] lines =
        Files.readString(Path.of("../docs/how-to/reverse-proxy.md"))
            .replaceFirst("(?s).*## Path prefix\n.*?```\n(.*?)\n```.*", "$1")
            .split("\n", 2);
    assertThat(lines[0]).startsWith("map $request_uri ");
    String configuration =
        format(
            """
            pid %1$s/nginx.pid;
            error_log /dev/stderr warn;
            events {}
            http {
              access_log off;
              client_body_temp_path %1$s/body;
              proxy_temp_path %1$s/proxy;
              fastcgi_temp_path %1$s/fastcgi;
              uwsgi_temp_path %1$s/uwsgi;
              scgi_temp_path %1$s/scgi;
              upstream toystore { server 127.0.0.1:%2$d; }
              %3$s
              server { listen 127.0.0.1:%4$d; %5$s }
            }
            """,
            folder, frontendPort, lines[0], proxyPort, lines[1]);
    nginx = run(program().orElseThrow(), configuration);
    await(() -> answers("/toys/"));

    String name = "/products/Tux%20%26%20%C3%9C?q=%22";
    Reply reply = http.send("GET", "/toys" + name, "", "X-Forwarded-Prefix", "/other");
    assertThat(reply.body())
        .startsWith("GET " + name + " ")
        .contains("X-Forwarded-Prefix=[/toys]", "X-Forwarded-For=[127.0.0.1]");
    assertThat(http.get("/toys/").body()).startsWith("GET / ");
    assertThat(http.get("/toys").status()).isEqualTo(308);
    assertThat(http.get("/market").status()).isEqualTo(404);
  }

  @Test
  void requestsAreSpreadOverAllFrontends() throws IOException {
    for (int i = 0; i < 60; i++) {
      assertThat(http.get("/").status()).isEqualTo(200);
    }
    assertThat(received).contains("127.0.0.1", "127.0.0.2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "PUT", "PATCH", "DELETE"})
  void changeThatWasSentIsNotRepeated(String method) throws IOException {
    Reply reply = http.send(method, "/lost", "body");
    assertThat(reply.status()).isEqualTo(504);
    assertThat(reply.json().at("/error/reason").stringValue()).isEqualTo("OUTCOME_UNKNOWN");
    assertThat(received).hasSize(1);
  }

  @Test
  void queryWithoutAnswerIsSentToTheOtherFrontend() throws IOException {
    assertThat(http.get("/lost").status()).isEqualTo(504);
    assertThat(received).containsExactlyInAnyOrderElementsOf(ADDRESSES);
  }

  @Test
  void queriesAndPostsOfAStoppedFrontendGoToTheOther() throws IOException {
    frontends.getFirst().stop(0);
    for (int i = 0; i < 30; i++) {
      assertThat(http.get("/").status()).isEqualTo(200);
      assertThat(http.post("/orders", "body").status()).isEqualTo(200);
    }
    assertThat(received).containsOnly("127.0.0.2");
  }

  @Test
  void bodyOfMoreThan16MiBIsRefused() throws IOException {
    assertThat(http.post("/", "x".repeat(16_777_216)).status()).isEqualTo(200);
    assertThat(http.post("/", "x".repeat(16_777_217)).status()).isEqualTo(413);
  }

  /// A DNS server that has the same addresses for every name (RFC 1035).
  private record FakeNames(DatagramSocket socket, List<String> addresses) implements AutoCloseable {
    FakeNames(List<String> addresses) throws IOException {
      this(new DatagramSocket(0, InetAddress.getLoopbackAddress()), addresses);
      Thread.ofVirtual().start(this::serve);
    }

    int port() {
      return socket.getLocalPort();
    }

    private void serve() {
      var query = new DatagramPacket(new byte[512], 512);
      try {
        while (true) {
          socket.receive(query);
          byte[] answer = answer(query);
          socket.send(new DatagramPacket(answer, answer.length, query.getSocketAddress()));
        }
      } catch (IOException closed) {
        // the test has ended
      }
    }

    /// The header and the question of the query, then one record of type A per address.
    private byte[] answer(DatagramPacket query) {
      ByteBuffer answer = ByteBuffer.allocate(512).put(query.getData(), 0, query.getLength());
      answer.putShort(2, (short) 0x8180).putShort(6, (short) addresses.size());
      answer.putShort(10, (short) 0); // no additional records
      for (String address : addresses) {
        answer.putShort((short) 0xC00C).putShort((short) 1).putShort((short) 1);
        answer.putInt(1).putShort((short) 4).put(InetAddress.ofLiteral(address).getAddress());
      }
      return Arrays.copyOf(answer.array(), answer.position());
    }

    @Override
    public void close() {
      socket.close();
    }
  }
}
