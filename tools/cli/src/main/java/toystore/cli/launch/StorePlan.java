package toystore.cli.launch;

import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import toystore.cli.command.CommandRefusal;
import toystore.cli.launch.ProcessSpec.Port;
import toystore.platform.service.StoreServiceDescriptor;
import toystore.platform.service.StoreServiceDescriptor.Protocol;

/// The processes of one store and their arguments.
///
/// @param services the services, each after those it calls
/// @param database the URL of the PostgreSQL database of all services; null: each has an SQLite
///   file
/// @param data the absolute path of the data folder
/// @param catalog the absolute path of the file of initial products; null: the shipped file
/// @param settings the user's settings for all services, as `--key=value`
public record StorePlan(
    Services services,
    StoreLayout layout,
    @Nullable String database,
    Path data,
    @Nullable Path catalog,
    List<String> settings) {

  private static final int HEAP_TOGETHER_MIB = 256;
  private static final String DATABASE = "--toystore.database=";
  private static final String LISTEN = "--toystore.listen=";
  private static final String TLS = "--spring.grpc.server.ssl.";

  /// The processes, each after those it calls. If all services share one process, it needs no
  /// addresses of peers.
  public List<ProcessSpec> parts() {
    return layout.together()
        ? List.of(part("store", services.all(), HEAP_TOGETHER_MIB, frontend(), 1))
        : services.all().stream().flatMap(this::instances).toList();
  }

  /// A message about the first port that is already in use.
  public Optional<String> busyPort(InetAddress listenAddress) {
    for (ProcessSpec part : parts()) {
      for (ProcessSpec.Service service : part.services()) {
        for (Port port : service.ports()) {
          boolean isPublic = port.protocol().equals(Protocol.HTTP.toString());
          if (!PortPlan.isFree(isPublic ? listenAddress : StoreLayout.loopback(), port.number())) {
            return Optional.of(
                format(
                    "port %d is already in use; %s needs it for %s (to use other ports: --port N)",
                    port.number(), service.name(), port.protocol()));
          }
        }
      }
    }
    return Optional.empty();
  }

  /// A warning if a port is in the range from which the system takes those of outgoing connections.
  ///
  /// @param range a file with the first and the last port of that range; Linux has it
  Optional<String> outgoingPorts(Path range) throws IOException {
    if (!Files.exists(range)) {
      return Optional.empty();
    }
    String[] limits = Files.readAllLines(range).getFirst().split("\\s+");
    int first = Integer.parseInt(limits[0]);
    int last = Integer.parseInt(limits[1]);
    return parts().stream()
        .flatMap(part -> part.services().stream())
        .flatMap(service -> service.ports().stream())
        .map(Port::number)
        .filter(it -> it >= first && it <= last)
        .min(Comparator.naturalOrder())
        .map(port ->
            format(
                "port %d and others are in the system's range of outgoing ports, %d to %d: a start fails if a connection uses one; choose a --port up to %d",
                port, first, last, first - 1 - PortPlan.ROOM));
  }

  private Stream<ProcessSpec> instances(StoreServiceDescriptor service) {
    return IntStream.rangeClosed(1, count(service))
        .mapToObj(instance ->
            part(service.program(), List.of(service), service.heapMiB(), service, instance));
  }

  /// The number of processes of a service.
  private int count(StoreServiceDescriptor service) {
    if (service.protocol() == Protocol.HTTP) {
      return layout.frontends();
    }
    return layout.standby() && service.database() ? 2 : 1;
  }

  private ProcessSpec part(
      String app,
      List<StoreServiceDescriptor> served,
      int heapMiB,
      StoreServiceDescriptor managed,
      int instance) {
    String name = named(app, instance);
    var arguments =
        new ArrayList<>(
            List.of(
                "--toystore.data=" + data,
                "--toystore.supervised=true",
                "--logging.file.name=" + DataFolder.log(data, name),
                "--logging.threshold.console=off"));
    if (database != null && served.stream().anyMatch(StoreServiceDescriptor::database)) {
      arguments.add(DATABASE + database);
    }
    if (settings.stream().noneMatch(it -> it.startsWith(LISTEN))) {
      arguments.add(LISTEN + StoreLayout.LOOPBACK); // TOYSTORE_LISTEN may be set for compose
    }
    served.forEach(service -> arguments.addAll(arguments(service, instance)));
    addSettings(arguments, managed, instance);
    return new ProcessSpec(
        app,
        name,
        served.stream()
            .map(it -> new ProcessSpec.Service(named(it.program(), instance), ports(it, instance)))
            .toList(),
        heapMiB,
        managed.protocol() == Protocol.HTTP ? 0 : layout.ports().of(managed, instance),
        layout.ports().management(managed, instance),
        managed.startsLate() || instance > 1,
        List.copyOf(arguments));
  }

  /// Refuses settings that are set already: two values for one key would be ambiguous.
  private void addSettings(List<String> arguments, StoreServiceDescriptor service, int instance) {
    for (String setting : settings) {
      String key = setting.substring(0, setting.indexOf('=') + 1);
      if (key.startsWith(TLS)) {
        throw new CommandRefusal(
            "%s cannot be set: ./toystore up asks its services over plain text; TLS is for services on several hosts, see docs/how-to/deploy.md",
            key.replaceAll("^--|=$", ""));
      }
      if (arguments.stream().anyMatch(it -> it.startsWith(key))) {
        throw new CommandRefusal(
            "%s cannot be set: ./toystore up derives it from --port, --data, --catalog, --database or --listen",
            key.replaceAll("^--|=$", ""));
      }
    }
    settings.stream().map(it -> own(it, service, instance)).forEach(arguments::add);
  }

  /// A setting of a port as a process needs it: that of a standby is as far from that of the first
  /// process as its other ports are.
  private String own(String setting, StoreServiceDescriptor service, int instance) {
    Matcher port =
        Pattern.compile("(--" + service.prefix() + "\\.[a-z-]*port=)(\\d+)").matcher(setting);
    return instance > 1 && port.matches() && !port.group(2).equals("0")
        ? port.group(1) + PortPlan.of(service, Integer.parseInt(port.group(2)), instance)
        : setting;
  }

  /// Where the data of each service is, by the name of its program: a file, or a URL without its
  /// parameters.
  ///
  /// @param environment the variables of the services
  public Map<String, String> databases(Map<String, String> environment) {
    Optional<String> url =
        settings.stream()
            .filter(it -> it.startsWith(DATABASE))
            .map(it -> it.substring(DATABASE.length()))
            .findFirst()
            .or(() -> Optional.ofNullable(database))
            .or(() -> Optional.ofNullable(environment.get("TOYSTORE_DATABASE")))
            .map(StorePlan::withoutSecrets);
    var places = new TreeMap<String, String>();
    for (StoreServiceDescriptor service : services.all()) {
      if (service.database()) {
        places.put(
            service.program(),
            url.orElseGet(() -> new DataFolder(data).database(service.name()).toString()));
      }
    }
    return places;
  }

  private static String withoutSecrets(String url) {
    return url.replaceFirst("[?].*", "").replaceFirst("//.*@", "//");
  }

  private static String named(String program, int instance) {
    return instance == 1 ? program : program + "-" + instance;
  }

  /// The service that customers call.
  public StoreServiceDescriptor frontend() {
    return services.all().stream()
        .filter(it -> it.protocol() == Protocol.HTTP)
        .findFirst()
        .orElseThrow();
  }

  /// The ports of a process of a service. If all services share one process, that of the frontend
  /// is the only management port.
  private List<Port> ports(StoreServiceDescriptor service, int instance) {
    PortPlan ports = layout.ports();
    var open = new ArrayList<Port>();
    open.add(new Port("port", service.protocol().toString(), ports.of(service, instance)));
    ports
        .further(service, instance)
        .forEach((protocol, number) ->
            open.add(new Port(protocol + "-port", protocol.toUpperCase(Locale.ROOT), number)));
    if (!layout.together() || service.protocol() == Protocol.HTTP) {
      open.add(new Port("management-port", "management", ports.management(service, instance)));
    }
    return open;
  }

  private List<String> arguments(StoreServiceDescriptor service, int instance) {
    String own = "--" + service.prefix() + ".";
    var arguments = new ArrayList<String>();
    ports(service, instance).forEach(it -> arguments.add(own + it.setting() + "=" + it.number()));
    if (service.protocol() == Protocol.HTTP) {
      arguments.add(own + "listen=" + layout.listen());
    }
    if (catalog != null && service.equals(services.catalog())) {
      arguments.add(own + "file=" + catalog);
    }
    if (!layout.together()) {
      services.all().stream()
          .filter(it -> service.peers().contains(it.name()))
          .forEach(it -> arguments.add(own + it.name() + "-target=static://" + addresses(it)));
    }
    return arguments;
  }

  private String addresses(StoreServiceDescriptor service) {
    return IntStream.rangeClosed(1, count(service))
        .mapToObj(instance -> StoreLayout.LOOPBACK + ":" + layout.ports().of(service, instance))
        .collect(Collectors.joining(","));
  }
}
