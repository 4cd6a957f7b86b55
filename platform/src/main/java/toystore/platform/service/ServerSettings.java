package toystore.platform.service;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.env.Environment;

/// Addresses and ports of a service, below its own prefix. The [StoreServiceDescriptor] has the
/// defaults.
///
/// @param port port for customers or other services; 0: any free port
/// @param listen address of that port
/// @param managementPort port for health and metrics; 0: any free port
/// @param managementListen address of that port
/// @param hosts names that HTTP requests may have in their `Host` header, besides those of loopback
public record ServerSettings(
    int port,
    String listen,
    int managementPort,
    String managementListen,
    @DefaultValue List<String> hosts) {
  private static final String LOOPBACK = "127.0.0.1"; // only this machine unless told otherwise

  public ServerSettings {
    hosts = hosts.stream().map(it -> it.toLowerCase(Locale.ROOT)).toList();
  }

  static ServerSettings of(StoreServiceDescriptor service, Environment environment) {
    String prefix = service.prefix();
    ServerSettings settings = Binder.get(environment).bindOrCreate(prefix, ServerSettings.class);
    SettingRange.check(prefix + ".port", settings.port, 0, 65_535);
    SettingRange.check(prefix + ".management-port", settings.managementPort, 0, 65_535);
    return settings;
  }

  /// Returns the defaults and maps these settings to those of Spring. In a gRPC service, Spring's
  /// web server serves only management.
  public static Map<String, String> defaults(StoreServiceDescriptor service) {
    var defaults = new TreeMap<String, String>();
    String prefix = service.prefix();
    defaults.put(prefix + ".port", Integer.toString(service.port()));
    defaults.put(prefix + ".listen", LOOPBACK);
    defaults.put(prefix + ".management-port", Integer.toString(service.managementPort()));
    defaults.put(prefix + ".management-listen", LOOPBACK);
    switch (service.protocol()) {
      case GRPC -> {
        put(defaults, "spring.grpc.server", prefix + ".");
        put(defaults, "server", prefix + ".management-");
      }
      case HTTP -> {
        put(defaults, "server", prefix + ".");
        put(defaults, "management.server", prefix + ".management-");
      }
    }
    return defaults;
  }

  private static void put(Map<String, String> defaults, String server, String own) {
    defaults.put(server + ".port", "${" + own + "port}");
    defaults.put(server + ".address", "${" + own + "listen}");
  }
}
