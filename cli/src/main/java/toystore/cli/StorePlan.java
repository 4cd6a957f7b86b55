package toystore.cli;

import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import toystore.platform.service.ServiceDescriptor;
import toystore.platform.service.ServiceDescriptor.Protocol;

/// Which processes one store consists of and what each is told.
///
/// @param services what it consists of, each after those it calls
/// @param together whether all services share one process
/// @param ports where they answer
/// @param data the data folder, absolute
/// @param catalog the file of the first products, absolute; absent: the shipped one
/// @param listen where the frontend is reached; everything else stays on 127.0.0.1
/// @param settings what the user passes on to all services, `--key=value`
record StorePlan(
    Services services,
    boolean together,
    Ports ports,
    Path data,
    @Nullable Path catalog,
    String listen,
    List<String> settings) {

  static final String LOOPBACK = "127.0.0.1";

  private static final int HEAP_TOGETHER_MIB = 256;

  /// The processes, in the order in which they depend on each other: the first needs nobody.
  List<Part> parts() {
    return together ? List.of(store()) : services.all().stream().map(this::process).toList();
  }

  /// The first port that somebody else has, told in one line.
  Optional<String> busyPort(InetAddress listenAddress) {
    for (var part : parts()) {
      for (var service : part.services()) {
        for (var port : service.ports()) {
          var address =
              port.number() == ports.frontend() ? listenAddress : InetAddress.getLoopbackAddress();
          if (!Ports.isFree(address, port.number())) {
            return Optional.of(
                "port %d is busy: %s wants it for %s (another --port moves all of them)"
                    .formatted(port.number(), service.name(), port.speaks()));
          }
        }
      }
    }
    return Optional.empty();
  }

  /// The same store, with more to pass on to its services.
  StorePlan with(List<String> moreSettings) {
    return new StorePlan(
        services, together, ports, data, catalog, listen, concat(settings, moreSettings));
  }

  private Part process(ServiceDescriptor service) {
    return new Part(
        service.program(),
        List.of(described(service)),
        service.heapMiB(),
        ports.management(service),
        concat(common(service.program()), arguments(service), settings));
  }

  /// All services in one process: it knows itself how they reach each other, and one management
  /// port speaks for all.
  private Part store() {
    return new Part(
        "store",
        services.all().stream().map(this::described).toList(),
        HEAP_TOGETHER_MIB,
        ports.management(frontend()),
        concat(
            common("store"),
            services.all().stream().flatMap(it -> arguments(it).stream()).toList(),
            settings));
  }

  ServiceDescriptor frontend() {
    return services.all().stream()
        .filter(it -> it.protocol() == Protocol.HTTP)
        .findFirst()
        .orElseThrow();
  }

  private Part.Service described(ServiceDescriptor service) {
    var open = new ArrayList<Part.Port>();
    open.add(new Part.Port(service.protocol().toString(), ports.of(service)));
    if (isManaged(service)) {
      open.add(new Part.Port("management", ports.management(service)));
    }
    return new Part.Service(service.program(), open);
  }

  private boolean isManaged(ServiceDescriptor service) {
    return !together || service.protocol() == Protocol.HTTP;
  }

  private List<String> common(String app) {
    return List.of(
        "--toystore.data=" + data,
        "--toystore.supervised=true",
        "--toystore.services=" + String.join(",", services.names()),
        "--logging.file.name=" + DataFolder.log(data, app),
        "--logging.threshold.console=off");
  }

  private List<String> arguments(ServiceDescriptor service) {
    var own = "--" + service.prefix() + ".";
    var arguments = new ArrayList<>(List.of(own + "port=" + ports.of(service)));
    if (isManaged(service)) {
      arguments.add(own + "management-port=" + ports.management(service));
    }
    if (service.protocol() == Protocol.HTTP) {
      arguments.add(own + "listen=" + listen);
    }
    if (catalog != null && service.equals(services.catalog())) {
      arguments.add(own + "file=" + catalog);
    }
    if (!together) {
      services.all().stream()
          .filter(it -> service.peers().contains(it.name()))
          .forEach(it -> arguments.add(own + it.name() + "-target=" + at(ports.of(it))));
    }
    return arguments;
  }

  private static String at(int port) {
    return "static://" + LOOPBACK + ":" + port;
  }

  @SafeVarargs
  private static List<String> concat(List<String>... lists) {
    var all = new ArrayList<String>();
    Stream.of(lists).forEach(all::addAll);
    return List.copyOf(all);
  }
}
