package toystore.lab.load;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Map;
import toystore.clients.load.CallSource;
import toystore.clients.load.Scenario;

/// An HTTP server that answers every GET with the same bytes and does nothing else. What a load
/// client measures there is its own time and that of the loopback network. Any thread.
public final class NullServer implements AutoCloseable {
  private static final byte[] RESPONSE =
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
          .getBytes(US_ASCII);

  private static final Scenario SCENARIO =
      new Scenario(
          Map.of("null", new Scenario.Kind("GET", "/", null, Scenario.Check.of(200))), Map.of());

  private final ServerSocket server = new ServerSocket();

  public NullServer() throws IOException {
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1_024);
    Thread.ofVirtual().name("null-server").start(this::accept);
  }

  /// The calls of a null server.
  public static CallSource calls(URI url) {
    return new CallSource(url, SCENARIO, "null");
  }

  public URI url() {
    return URI.create("http://127.0.0.1:" + server.getLocalPort());
  }

  private void accept() {
    try {
      while (true) {
        Socket client = server.accept();
        Thread.startVirtualThread(() -> serve(client));
      }
    } catch (IOException closed) {
      // the end
    }
  }

  private static void serve(Socket client) {
    try (client) {
      client.setTcpNoDelay(true);
      var in = new BufferedReader(new InputStreamReader(client.getInputStream(), US_ASCII));
      var out = client.getOutputStream();
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (line.isEmpty()) { // the end of a request without a body
          out.write(RESPONSE);
        }
      }
    } catch (IOException gone) {
      // the client has left
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
