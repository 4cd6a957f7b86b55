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

/// A catalog service alone on this machine's loopback, without the rest of a store.
///
/// @param port of gRPC
/// @param linePort of the line protocol
/// @param metrics the page with its counters
public record CatalogOnly(int port, int linePort, URI metrics) {
  private static final Duration START = Duration.ofMinutes(2);

  /// Starts one for each name, with more settings each (`--toystore.catalog.…`): one after another,
  /// since several that start at once on few cores keep each other from it.
  ///
  /// @throws IOException naming the log of one that did not become ready
  static Map<String, CatalogOnly> start(
      Environments environments, Map<String, List<String>> settings)
      throws IOException, InterruptedException {
    Path products = environments.catalog();
    var catalogs = new LinkedHashMap<String, CatalogOnly>();
    for (var each : settings.entrySet()) {
      catalogs.put(each.getKey(), start(environments, each.getKey(), products, each.getValue()));
    }
    return catalogs;
  }

  private static CatalogOnly start(
      Environments environments, String name, Path products, List<String> settings)
      throws IOException, InterruptedException {
    int[] ports = freePorts(3);
    URI metrics = Environments.http("127.0.0.1", ports[2], "/prometheus");
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
      TimeUnit.MILLISECONDS.sleep(50); // it cannot tell us
    }
    return false;
  }

  // all at once, so that none is given twice
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
