package toystore.gatling.environment;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// A single catalog service on the loopback address, without the rest of a store.
///
/// @param port of gRPC
/// @param linePort of the line protocol
/// @param metrics URL of the metrics page
public record CatalogOnly(int port, int linePort, URI metrics) {
  private static final Duration START = Duration.ofMinutes(2);

  /// Starts one catalog per name, each with additional settings (`--toystore.catalog.…`). They
  /// start one after another, because simultaneous starts on few cores slow each other down.
  ///
  /// @throws IOException with the log file, if a catalog did not become ready
  static Map<String, CatalogOnly> start(
      StoreProvisioner environments, Map<String, List<String>> settings)
      throws IOException, InterruptedException {
    Path products = environments.catalog();
    var catalogs = new LinkedHashMap<String, CatalogOnly>();
    for (var each : settings.entrySet()) {
      catalogs.put(each.getKey(), start(environments, each.getKey(), products, each.getValue()));
    }
    return catalogs;
  }

  private static CatalogOnly start(
      StoreProvisioner environments, String name, Path products, List<String> settings)
      throws IOException, InterruptedException {
    int[] ports = freePorts(3);
    URI metrics = StoreProvisioner.http("127.0.0.1", ports[2], "/actuator/prometheus");
    var catalog = new CatalogOnly(ports[0], ports[1], metrics);
    var command = new ArrayList<>(environments.serviceCommand("catalog"));
    command.addAll(
        List.of(
            "--toystore.catalog.file=" + products,
            "--toystore.catalog.port=" + catalog.port,
            "--toystore.catalog.line-port=" + catalog.linePort,
            "--toystore.catalog.management-port=" + ports[2]));
    command.addAll(settings);
    if (!catalog.becomesReady(environments.startProcess(name, command))) {
      throw new IOException(
          "catalog service did not become ready; see %s".formatted(environments.log(name)));
    }
    return catalog;
  }

  private boolean becomesReady(EnvironmentProcess process) throws InterruptedException {
    long end = System.nanoTime() + START.toNanos();
    while (process.isAlive() && System.nanoTime() < end) {
      if (StoreHttpClient.isOk(metrics.resolve("/health/readiness"))) {
        return true;
      }
      TimeUnit.MILLISECONDS.sleep(50); // there is no notification
    }
    return false;
  }

  // all sockets are open at once, so the ports are distinct
  private static int[] freePorts(int count) throws IOException {
    var sockets = new ArrayList<ServerSocket>();
    try {
      for (int i = 0; i < count; i++) {
        sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
      }
      return sockets.stream().mapToInt(ServerSocket::getLocalPort).toArray();
    } finally {
      for (ServerSocket socket : sockets) {
        socket.close();
      }
    }
  }
}
