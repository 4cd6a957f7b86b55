package toystore.platform.service;

import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.stream.Stream;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/// The ports of a process. A standby opens those of further protocols when it takes over, and would
/// fail then if another process on this machine had them.
final class OwnPorts {
  private OwnPorts() {}

  /// Checks before the election that each port can be opened.
  ///
  /// @param settings names of all settings
  /// @throws StartupException with the first port that another process has
  static void requireFree(
      StoreServiceDescriptor service, Set<String> settings, Environment environment) {
    Binder binder = Binder.get(environment);
    for (String setting : settings) {
      if (setting.matches(service.prefix() + "\\.([a-z]+-)?port")) {
        String protocol = setting.replaceAll(".*\\.|-?port$", "");
        int usual = service.furtherPorts().getOrDefault(protocol, 0);
        int port = binder.bind(setting, Integer.class).orElse(usual);
        String own = setting.replaceAll("port$", "listen");
        String listen =
            Stream.of(own, own.replace(service.prefix(), ServerSettings.PREFIX))
                .filter(settings::contains)
                .findFirst()
                .orElse(ServerSettings.LISTEN);
        requireFree(setting, environment.getProperty(listen, ServerSettings.LOOPBACK), port);
      }
    }
  }

  /// @param port 0: any free one
  private static void requireFree(String setting, String address, int port) {
    try (var socket = new ServerSocket()) {
      socket.setReuseAddress(true); // connections of a process that just ended do not matter
      socket.bind(new InetSocketAddress(address, port));
    } catch (IOException e) {
      throw new StartupException(
          format(
              "port %d on %s cannot be opened: %s; each process of a service on one machine needs a port of its own, setting %s",
              port, address, e.getMessage(), setting),
          e);
    }
  }
}
