package toystore.lab.run;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// A single service as a process of the launcher's build, on the loopback address.
///
/// @param port its own port
record LabService(String name, int port, int management, StartedProgram program) {
  private static final String TOKEN = UUID.randomUUID().toString(); // the services share it

  /// Starts a service and waits until it is ready.
  ///
  /// @param home the project folder
  /// @param data the folder for its data
  /// @param name such as `catalog`
  /// @param port its port; see [#freePorts]
  /// @param settings such as `--toystore.catalog.readers=5`
  /// @throws IOException with the end of its output, if it does not become ready
  static LabService start(Path home, Path data, String name, int port, List<String> settings)
      throws IOException, InterruptedException {
    String program = name + "-service";
    Path options = home.resolve("target/app").resolve(program + ".options").toAbsolutePath();
    if (Files.notExists(options)) {
      throw new IOException(options + " does not exist; ./toystore lab builds it");
    }
    int management = freePorts(1).getFirst();
    String own = "--toystore." + name + ".";
    var command = new ArrayList<String>();
    command.addAll(List.of(StartedProgram.JAVA, "-Xmx192m"));
    command.add("@" + home.resolve("jvm.options").toAbsolutePath());
    command.add("@" + options);
    command.addAll(List.of("--toystore.data=" + data, "--toystore.supervised=true"));
    command.addAll(List.of(own + "port=" + port, own + "management-port=" + management));
    command.addAll(settings);
    var process = new StartedProgram(program, home, Map.of("TOYSTORE_ADMIN_TOKEN", TOKEN), command);
    var service = new LabService(name, port, management, process);
    process.awaitPage(service.page("/health/readiness"));
    return service;
  }

  /// Free ports of the loopback address, all different.
  static List<Integer> freePorts(int count) throws IOException {
    var sockets = new ArrayList<ServerSocket>();
    try {
      for (int i = 0; i < count; i++) {
        sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
      }
      return sockets.stream().map(ServerSocket::getLocalPort).toList();
    } finally {
      for (ServerSocket socket : sockets) {
        socket.close();
      }
    }
  }

  /// A page of its management port.
  private URI page(String path) {
    return URI.create("http://127.0.0.1:" + management + path);
  }

  URI metrics() {
    return page("/actuator/prometheus");
  }
}
