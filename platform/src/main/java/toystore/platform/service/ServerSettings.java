package toystore.platform.service;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.env.Environment;
import toystore.platform.service.StoreServiceDescriptor.Protocol;

/// Addresses and host names of all services.
///
/// @param listen address of the ports for other services; that for customers may have its own, see
///   [CustomerPort]
/// @param managementListen address of the ports for metrics, and for the frontend's health
/// @param hosts names that HTTP requests may have in their `Host` header, besides those of loopback
@ConfigurationProperties(ServerSettings.PREFIX)
public record ServerSettings(
    @DefaultValue(LOOPBACK) String listen,
    @DefaultValue(LOOPBACK) String managementListen,
    @DefaultValue List<String> hosts) {
  static final String PREFIX = "toystore";
  static final String LISTEN = PREFIX + ".listen";
  static final String LOOPBACK = "127.0.0.1"; // only this machine unless told otherwise

  /// Settings below the prefix of each service. The [StoreServiceDescriptor] has the defaults.
  ///
  /// @param port port for customers or other services; 0: any free port
  /// @param managementPort port for metrics, and for the frontend's health; 0: any free port
  record Ports(int port, int managementPort) {}

  /// Settings below the prefix of a service with a port for customers, which may be public while
  /// those of the other services in the same JVM are not.
  record CustomerPort(@Nullable String listen, @Nullable List<String> hosts) {}

  public ServerSettings {
    hosts = hosts.stream().map(it -> it.toLowerCase(Locale.ROOT)).toList();
  }

  static List<Class<? extends Record>> records(StoreServiceDescriptor service) {
    return service.protocol() == Protocol.HTTP
        ? List.of(ServerSettings.class, Ports.class, CustomerPort.class)
        : List.of(ServerSettings.class, Ports.class);
  }

  static ServerSettings of(StoreServiceDescriptor service, Environment environment) {
    String prefix = service.prefix();
    Binder binder = Binder.get(environment);
    Ports ports = binder.bindOrCreate(prefix, Ports.class);
    SettingCheck.range(prefix + ".port", ports.port, 0, 65_535);
    SettingCheck.range(prefix + ".management-port", ports.managementPort, 0, 65_535);
    ServerSettings shared = binder.bindOrCreate(PREFIX, ServerSettings.class);
    if (service.protocol() != Protocol.HTTP) {
      return shared;
    }
    CustomerPort own = binder.bindOrCreate(prefix, CustomerPort.class);
    return new ServerSettings(
        own.listen == null ? shared.listen : own.listen,
        shared.managementListen,
        own.hosts == null ? shared.hosts : own.hosts);
  }

  public AllowedHosts allowedHosts(StoreServiceDescriptor service) {
    return new AllowedHosts(listen, hosts, hostsSetting(service));
  }

  public AllowedHosts allowedManagementHosts(StoreServiceDescriptor service) {
    return new AllowedHosts(managementListen, hosts, hostsSetting(service));
  }

  private static String hostsSetting(StoreServiceDescriptor service) {
    return (service.protocol() == Protocol.HTTP ? service.prefix() : PREFIX) + ".hosts";
  }

  /// Returns the defaults and maps these settings to those of Spring. The management port of a gRPC
  /// service is that of its [MetricsServer].
  public static Map<String, String> defaults(StoreServiceDescriptor service) {
    var defaults = new TreeMap<String, String>();
    String prefix = service.prefix();
    defaults.put(prefix + ".port", Integer.toString(service.port()));
    defaults.put(prefix + ".management-port", Integer.toString(service.managementPort()));
    defaults.put(LISTEN, LOOPBACK);
    defaults.put(PREFIX + ".management-listen", LOOPBACK);
    switch (service.protocol()) {
      case GRPC -> put(defaults, "spring.grpc.server", prefix + ".port", LISTEN);
      case HTTP -> {
        defaults.put(prefix + ".listen", "${" + LISTEN + "}");
        put(defaults, "server", prefix + ".port", prefix + ".listen");
        put(
            defaults,
            "management.server",
            prefix + ".management-port",
            PREFIX + ".management-listen");
      }
    }
    return defaults;
  }

  private static void put(
      Map<String, String> defaults, String server, String port, String address) {
    defaults.put(server + ".port", "${" + port + "}");
    defaults.put(server + ".address", "${" + address + "}");
  }
}
