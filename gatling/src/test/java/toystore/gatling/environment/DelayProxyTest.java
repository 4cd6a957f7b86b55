package toystore.gatling.environment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class DelayProxyTest {
  private static final InetAddress HERE = InetAddress.getLoopbackAddress();

  @Test
  void measuredRoundTripIncludesTheAddedDelay() throws IOException {
    try (var nobody = new ServerSocket(0, 1, HERE);
        var link = DelayProxy.open(HERE, (InetSocketAddress) nobody.getLocalSocketAddress())) {
      Duration before = DelayProxy.measureRoundTrip(link);
      link.setRoundTrip(Duration.ofMillis(20));
      Duration after = DelayProxy.measureRoundTrip(link);
      assertThat(after).isGreaterThanOrEqualTo(Duration.ofMillis(20));
      assertThat(before).isLessThan(after);
    }
  }

  @Test
  void linkDeliversAllBytesInOrderAndTheEndOfStream() throws Exception {
    var sent = new byte[3_000_000];
    new Random(1).nextBytes(sent);
    try (var serverSocket = new ServerSocket(0, 1, HERE);
        var link =
            DelayProxy.open(HERE, (InetSocketAddress) serverSocket.getLocalSocketAddress())) {
      link.setRoundTrip(Duration.ofMillis(2));
      var sender =
          Thread.ofVirtual()
              .start(() -> {
                try (var socket = new Socket(HERE, link.address().getPort())) {
                  socket.getOutputStream().write(sent);
                } catch (IOException e) {
                  throw new IllegalStateException(e);
                }
              });
      try (var arrived = serverSocket.accept()) {
        assertThat(arrived.getInputStream().readAllBytes()).isEqualTo(sent);
      }
      sender.join();
    }
  }
}
