package toystore.cli;

import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Which processes one store consists of and what each is told.
///
/// @param together whether all services share one process
/// @param ports where they answer
/// @param data the data folder, absolute
/// @param catalog the file of the first products, absolute; absent: the shipped one
/// @param listen where the frontend is reached; everything else stays on 127.0.0.1
/// @param settings what the user passes on to all services, `--key=value`
record StorePlan(
    boolean together,
    Ports ports,
    Path data,
    @Nullable Path catalog,
    String listen,
    List<String> settings) {

  static final String LOOPBACK = "127.0.0.1";

  /// The processes, in the order in which they depend on each other: the first needs nobody.
  List<Part> parts() {
    var parts = together ? List.of(store()) : List.of(catalogService(), orderService(), frontend());
    return parts.stream().map(this::withSettings).toList();
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
    return new StorePlan(together, ports, data, catalog, listen, concat(settings, moreSettings));
  }

  private Part catalogService() {
    return new Part(
        "catalog-service",
        List.of(
            new Part.Service(
                "catalog-service", grpc(ports.catalog()), management(ports.catalogManagement()))),
        128,
        ports.catalogManagement(),
        concat(
            common("catalog-service"),
            catalogArguments(),
            List.of("--toystore.catalog.management-port=" + ports.catalogManagement())));
  }

  private Part orderService() {
    return new Part(
        "order-service",
        List.of(
            new Part.Service(
                "order-service", grpc(ports.order()), management(ports.orderManagement()))),
        128,
        ports.orderManagement(),
        concat(
            common("order-service"),
            List.of(
                "--toystore.order.port=" + ports.order(),
                "--toystore.order.management-port=" + ports.orderManagement(),
                "--toystore.order.catalog-target=" + at(ports.catalog()))));
  }

  private Part frontend() {
    return new Part(
        "frontend-service",
        List.of(
            new Part.Service(
                "frontend-service",
                http(ports.frontend()),
                management(ports.frontendManagement()))),
        128,
        ports.frontendManagement(),
        concat(
            common("frontend-service"),
            frontendArguments(),
            List.of(
                "--toystore.frontend.catalog-target=" + at(ports.catalog()),
                "--toystore.frontend.order-target=" + at(ports.order()))));
  }

  /// All services in one process: it knows itself how they reach each other, and one management
  /// port speaks for all.
  private Part store() {
    return new Part(
        "store",
        List.of(
            new Part.Service("catalog-service", grpc(ports.catalog())),
            new Part.Service("order-service", grpc(ports.order())),
            new Part.Service(
                "frontend-service",
                http(ports.frontend()),
                management(ports.frontendManagement()))),
        256,
        ports.frontendManagement(),
        concat(
            common("store"),
            catalogArguments(),
            List.of("--toystore.order.port=" + ports.order()),
            frontendArguments()));
  }

  private List<String> common(String app) {
    return List.of(
        "--toystore.data=" + data,
        "--toystore.supervised=true",
        "--logging.file.name=" + DataFolder.log(data, app),
        "--logging.threshold.console=off");
  }

  private List<String> catalogArguments() {
    var port = "--toystore.catalog.port=" + ports.catalog();
    return catalog == null ? List.of(port) : List.of(port, "--toystore.catalog.file=" + catalog);
  }

  private List<String> frontendArguments() {
    return List.of(
        "--toystore.frontend.port=" + ports.frontend(),
        "--toystore.frontend.management-port=" + ports.frontendManagement(),
        "--toystore.frontend.listen=" + listen);
  }

  private Part withSettings(Part part) {
    return new Part(
        part.app(),
        part.services(),
        part.heapMiB(),
        part.managementPort(),
        concat(part.arguments(), settings));
  }

  private static String at(int port) {
    return "static://" + LOOPBACK + ":" + port;
  }

  private static Part.Port grpc(int port) {
    return new Part.Port("gRPC", port);
  }

  private static Part.Port http(int port) {
    return new Part.Port("HTTP", port);
  }

  private static Part.Port management(int port) {
    return new Part.Port("management", port);
  }

  @SafeVarargs
  private static List<String> concat(List<String>... lists) {
    var all = new ArrayList<String>();
    Stream.of(lists).forEach(all::addAll);
    return List.copyOf(all);
  }
}
