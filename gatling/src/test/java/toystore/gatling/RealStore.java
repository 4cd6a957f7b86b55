package toystore.gatling;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import toystore.gatling.environment.StoreHttpClient;

/// The store's real services, without the marketplace and the exchange, as processes, from the jars
/// of the build.
final class RealStore implements AutoCloseable {
  private static final Path PROJECT = Path.of("..").toAbsolutePath().normalize();

  private final Path folder;
  private final List<Process> processes = new ArrayList<>();

  /// A frontend with its management port.
  record Front(URI url, URI audit) {}

  RealStore(Path folder) throws IOException {
    this.folder = folder;
    Files.writeString(folder.resolve("catalog.csv"), "name,price,quantity\nTux,25.99,1000000\n");
  }

  /// Whether the jars exist; not if only this module is built.
  static boolean isBuilt() throws IOException {
    return jar("frontend").isPresent();
  }

  private static java.util.Optional<Path> jar(String service) throws IOException {
    Path target = PROJECT.resolve(service + "-service/target");
    if (!Files.isDirectory(target)) {
      return java.util.Optional.empty();
    }
    try (Stream<Path> files = Files.list(target)) {
      return files.filter(it -> it.toString().endsWith("-exec.jar")).findFirst();
    }
  }

  int catalog() throws IOException {
    int port = freePort();
    start(
        "catalog",
        "catalog",
        port,
        freePort(),
        List.of(),
        "--toystore.catalog.file=" + folder.resolve("catalog.csv"));
    return port;
  }

  /// @param jvm more flags for its JVM
  int order(String name, int catalog, List<String> jvm) throws IOException {
    int port = freePort();
    start(
        "order",
        name,
        port,
        freePort(),
        jvm,
        "--toystore.order.catalog-target=static://127.0.0.1:" + catalog,
        "--toystore.order.account-target=",
        "--toystore.order.payment-target=");
    return port;
  }

  Front frontend(String name, int catalog, int order) throws IOException {
    int port = freePort();
    int management = freePort();
    start(
        "frontend",
        name,
        port,
        management,
        List.of(),
        "--toystore.frontend.catalog-target=static://127.0.0.1:" + catalog,
        "--toystore.frontend.order-target=static://127.0.0.1:" + order,
        "--toystore.frontend.account-target=",
        "--toystore.frontend.exchange-target=");
    return new Front(
        URI.create("http://127.0.0.1:" + port),
        URI.create("http://127.0.0.1:" + management + "/audit"));
  }

  private void start(
      String service, String name, int port, int management, List<String> jvm, String... settings)
      throws IOException {
    var command = new ArrayList<String>();
    command.add(LoadRun.JAVA);
    command.addAll(jvm);
    command.addAll(
        List.of(
            "-Xmx128m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-jar",
            jar(service).orElseThrow().toString(),
            "--toystore.data=" + folder.resolve(name),
            "--toystore.%s.port=%d".formatted(service, port),
            "--toystore.%s.management-port=%d".formatted(service, management)));
    command.addAll(List.of(settings));
    var builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve(name + ".log").toFile());
    // their data folders differ, and the order service shows the catalog the administrator's token
    builder.environment().put("TOYSTORE_ADMIN_TOKEN", "token-of-the-test");
    processes.add(builder.start());
  }

  static void awaitReady(Front front) {
    URI readiness = front.audit().resolve("/health/readiness");
    await()
        .atMost(Duration.ofSeconds(90))
        .ignoreException(IllegalStateException.class)
        .until(() -> StoreHttpClient.get(readiness) != null);
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @Override
  public void close() {
    processes.forEach(Process::destroyForcibly);
  }
}
