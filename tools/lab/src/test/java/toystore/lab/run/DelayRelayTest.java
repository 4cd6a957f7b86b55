package toystore.lab.run;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import toystore.lab.load.NullServer;

@Tag("long")
class DelayRelayTest {
  private static final int NEAR = 1; // ms; both wait for a timer
  private static final int FAR = 7;
  private static final int BLOCKS = 6;
  private static final int CALLS = 15;

  /// A call is some requests to an HTTP server, one after another. The least time of all calls at a
  /// distance counts, because whatever else the machine does only adds time.
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void slopeOverTheDistanceIsTheNumberOfRoundTrips(int roundTrips) throws Exception {
    double near = Double.MAX_VALUE;
    double far = Double.MAX_VALUE;
    try (var server = new NullServer();
        var relay = new DelayRelay(server.url().getPort());
        var client = new Socket("127.0.0.1", relay.port())) {
      client.setTcpNoDelay(true);
      nanos(client, 2_000); // compiles the relay
      for (int block = 0; block < BLOCKS; block++) {
        relay.setDistance(Duration.ofMillis(NEAR));
        near = Math.min(near, leastMillis(client, roundTrips));
        relay.setDistance(Duration.ofMillis(FAR));
        far = Math.min(far, leastMillis(client, roundTrips));
      }
    }
    assertThat((far - near) / (FAR - NEAR)).isBetween(0.95 * roundTrips, 1.05 * roundTrips);
  }

  private static double leastMillis(Socket client, int requests) {
    return LongStream.generate(() -> nanos(client, requests)).limit(CALLS).min().orElseThrow()
        / 1e6;
  }

  private static long nanos(Socket client, int requests) {
    try {
      var in = new BufferedReader(new InputStreamReader(client.getInputStream(), US_ASCII));
      var body = new char[2];
      long begin = System.nanoTime();
      for (int i = 0; i < requests; i++) {
        client.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(US_ASCII));
        while (!in.readLine().isEmpty()) {
          // a header
        }
        assertThat(in.read(body)).isEqualTo(body.length);
      }
      return System.nanoTime() - begin;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void endOfAConnectionIsForwarded() throws Exception {
    try (var server = new NullServer();
        var relay = new DelayRelay(server.url().getPort());
        var client = new Socket("127.0.0.1", relay.port())) {
      client.shutdownOutput();
      assertThat(client.getInputStream().read()).isEqualTo(-1);
    }
  }

  @Test
  void nobodyBehindTheRelayIsAResetConnection() throws Exception {
    int port;
    try (var closed = new ServerSocket(0)) {
      port = closed.getLocalPort();
    }
    try (var relay = new DelayRelay(port);
        var client = new Socket("127.0.0.1", relay.port())) {
      assertThatExceptionOfType(SocketException.class)
          .isThrownBy(() -> client.getInputStream().read());
    }
  }
}
