package toystore.clients.load;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpConnectionTest {
  private static final byte[] GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(UTF_8);

  @Test
  void responsesWithALengthOrInChunksAreRead() throws Exception {
    var response = List.of("200", "käse");
    String head = "HTTP/1.1 200 OK\r\n";
    assertThat(answered(head + "Content-Length: 5\r\n\r\nkäse")).isEqualTo(response);
    assertThat(
            answered(
                head + "transfer-encoding: Chunked\r\n\r\n3;x=y\r\nkä\r\n2\r\nse\r\n0\r\n\r\n"))
        .isEqualTo(response);
    assertThat(answered("HTTP/1.1 204 \r\n\r\n")).isEqualTo(List.of("204", ""));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nkä", "SSH-2.0\r\n"})
  void incompleteResponseIsAnError(String response) {
    assertThatThrownBy(() -> answered(response)).isInstanceOf(IOException.class);
  }

  private static List<String> answered(String response) throws Exception {
    try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var serving =
          Thread.startVirtualThread(() -> {
            try (var client = server.accept()) {
              client.getInputStream().readNBytes(GET.length);
              client.getOutputStream().write(response.getBytes(UTF_8));
            } catch (IOException e) {
              throw new IllegalStateException(e);
            }
          });
      var url = URI.create("http://127.0.0.1:" + server.getLocalPort());
      try (var connection = new HttpConnection(url)) {
        LoadConnection.Response answer =
            connection.send(new CallSource.Call("", GET, Map.of(), Map.of()));
        return List.of("" + answer.status(), answer.text());
      } finally {
        serving.join();
      }
    }
  }
}
