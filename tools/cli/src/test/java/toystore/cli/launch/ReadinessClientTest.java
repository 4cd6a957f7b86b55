package toystore.cli.launch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import toystore.clients.FreePorts;

/// What a frontend says over HTTP. [SupervisorIT] has services that are asked over gRPC.
class ReadinessClientTest {
  @Test
  void readyFrontend() throws IOException {
    assertThat(state(200, "{\"components\":{\"catalog\":{\"status\":\"UP\"}},\"status\":\"UP\"}"))
        .isEqualTo("ready");
  }

  @Test
  void frontendNamesTheServicesThatAreAway() throws IOException {
    String away =
        "{\"components\":{\"catalog\":{\"details\":{\"status\":\"NOT_SERVING\"},\"status\":\"DOWN\"},"
            + "\"order\":{\"details\":{\"status\":\"SERVING\"},\"status\":\"UP\"},"
            + "\"readinessState\":{\"status\":\"OUT_OF_SERVICE\"}},\"status\":\"DOWN\"}";
    assertThat(state(503, away))
        .isEqualTo("not ready (catalog: NOT_SERVING; readinessState: OUT_OF_SERVICE)");
  }

  @Test
  void processThatDoesNotAnswer() throws IOException {
    assertThat(state(503, "<html>")).isEqualTo("not ready");
    for (int statusPort : new int[] {0, FreePorts.free()}) {
      try (var client = new ReadinessClient(statusPort, FreePorts.free())) {
        assertThat(client.state()).hasToString("not ready");
      }
    }
  }

  private static String state(int status, String body) throws IOException {
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/health/readiness",
        exchange -> {
          exchange.sendResponseHeaders(status, 0);
          exchange.getResponseBody().write(body.getBytes(UTF_8));
          exchange.close();
        });
    server.start();
    try (var client = new ReadinessClient(0, server.getAddress().getPort())) {
      return client.state().toString();
    } finally {
      server.stop(0);
    }
  }
}
