package toystore.platform.service;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import toystore.clients.FreePorts;
import toystore.platform.service.StoreServiceDescriptor.Protocol;

class OwnPortsTest {
  private static final Set<String> SETTINGS =
      Set.of(
          "toystore.exchange.port",
          "toystore.listen",
          "toystore.exchange.line-port",
          "toystore.exchange.xml-port",
          "toystore.exchange.xml-listen",
          "toystore.order.port");

  private final Map<String, Object> environment = new TreeMap<>();

  @Test
  void portOfAnotherProcessIsRefusedWithItsSetting() throws IOException {
    int free = FreePorts.free();
    try (var other = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.2"))) {
      int port = other.getLocalPort();
      environment.put("toystore.listen", "127.0.0.2");
      environment.put("toystore.exchange.xml-port", port); // its own address is another one
      environment.put("toystore.exchange.port", free);
      environment.put("toystore.order.port", port);
      requireFree(0);

      environment.put("toystore.exchange.line-port", port);
      assertThatExceptionOfType(StartupException.class)
          .isThrownBy(() -> requireFree(0))
          .withMessage(
              "port %d on 127.0.0.2 cannot be opened: Address already in use; each process of a service on one machine needs a port of its own, setting toystore.exchange.line-port",
              port);
    }
  }

  @Test
  void defaultPortOfAFurtherProtocolIsChecked() throws IOException {
    try (var other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThatExceptionOfType(StartupException.class)
          .isThrownBy(() -> requireFree(other.getLocalPort()))
          .withMessageEndingWith("setting toystore.exchange.xml-port");
    }
  }

  /// @param xml default port
  private void requireFree(int xml) {
    var exchange =
        new StoreServiceDescriptor(
            "exchange-service",
            "exchange",
            Protocol.GRPC,
            9094,
            9084,
            List.of(),
            true,
            128,
            false,
            Map.of("xml", xml));
    var settings = new StandardEnvironment();
    settings.getPropertySources().addFirst(new MapPropertySource("test", environment));
    OwnPorts.requireFree(exchange, SETTINGS, settings);
  }
}
