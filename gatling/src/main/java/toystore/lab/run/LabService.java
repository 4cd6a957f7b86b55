package toystore.lab.run;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/// A single service as a process of the launcher's build, on the loopback address, with data of its
/// own. One thread.
///
/// @param port its own port
final class LabService implements AutoCloseable {
  private static final Duration START = Duration.ofMinutes(2);
  private static final long STOP_SECONDS = 60;
  private static final int REQUEST_MILLIS = 5_000;
  private static final String TOKEN = UUID.randomUUID().toString(); // the services share it

  private final String name;
  private final int port;
  private final int management;
  private final Path log;
  private final Process process;

  private LabService(String name, int port, int management, Path log, Process process) {
    this.name = name;
    this.port = port;
    this.management = management;
    this.log = log;
    this.process = process;
  }

  /// Starts a service and waits until it is ready.
  ///
  /// @param home the project folder
  /// @param folder for its data and its log
  /// @param name such as `catalog`
  /// @param port its port; see [#freePorts]
  /// @param settings such as `--toystore.catalog.workers=5`
  /// @throws IOException with the end of its output, if it does not become ready
  static LabService start(Path home, Path folder, String name, int port, List<String> settings)
      throws IOException, InterruptedException {
    String program = name + "-service";
    Path app = home.resolve("target/app").resolve(program).toAbsolutePath();
    if (Files.notExists(app)) {
      throw new IOException(app + " does not exist; ./toystore lab builds it");
    }
    int management = freePorts(1).getFirst();
    String own = "--toystore." + name + ".";
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin/java").toString());
    command.add("-Xmx192m");
    command.add("@" + home.resolve("jvm.options").toAbsolutePath());
    command.addAll(List.of("-Xlog:disable", "-XX:AOTCache=" + app.resolve(program + ".aot")));
    command.addAll(List.of("-Dspring.aot.enabled=true", "-jar", app + "/" + program + ".jar"));
    command.addAll(List.of("--toystore.data=" + folder, "--toystore.supervised=true"));
    command.addAll(List.of(own + "port=" + port, own + "management-port=" + management));
    command.addAll(settings);
    Path log = folder.resolve(name + ".output");
    var builder =
        new ProcessBuilder(command)
            .directory(home.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().put("TOYSTORE_ADMIN_TOKEN", TOKEN);
    Process process = builder.start();
    var service = new LabService(name, port, management, log, process);
    service.awaitReady();
    return service;
  }

  private void awaitReady() throws IOException, InterruptedException {
    long end = System.nanoTime() + START.toNanos();
    URI readiness = URI.create("http://127.0.0.1:%d/health/readiness".formatted(management));
    while (!isOk(readiness)) {
      if (!process.isAlive() || System.nanoTime() > end) {
        close();
        throw new IOException(
            "%s service did not become ready: %s".formatted(name, Files.readString(log).strip()));
      }
      TimeUnit.MILLISECONDS.sleep(20); // there is no notification
    }
  }

  private static boolean isOk(URI url) {
    try {
      var connection = (HttpURLConnection) url.toURL().openConnection();
      connection.setConnectTimeout(REQUEST_MILLIS);
      connection.setReadTimeout(REQUEST_MILLIS);
      return connection.getResponseCode() == HttpURLConnection.HTTP_OK;
    } catch (IOException notYet) {
      return false;
    }
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

  String name() {
    return name;
  }

  int port() {
    return port;
  }

  long pid() {
    return process.pid();
  }

  URI metrics() {
    return URI.create("http://127.0.0.1:%d/actuator/prometheus".formatted(management));
  }

  @Override
  public void close() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
    }
  }
}
