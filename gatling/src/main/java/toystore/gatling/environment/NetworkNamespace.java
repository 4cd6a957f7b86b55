package toystore.gatling.environment;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// A network namespace that simulates another host, connected by a veth pair. Needs Linux, root and
/// iproute2. It is deleted when the program ends. One thread.
final class NetworkNamespace implements AutoCloseable {
  private static final Duration START = Duration.ofMinutes(2);
  private static final Map<String, Integer> MANAGEMENT =
      Map.of("frontend", 8081, "catalog", 9081, "order", 9082);

  private final StoreProvisioner environments;
  private final String name = "toystore-lab-" + ProcessHandle.current().pid();
  private final String net = "10.78.%d.".formatted(ProcessHandle.current().pid() % 250);

  private NetworkNamespace(StoreProvisioner environments) {
    this.environments = environments;
  }

  /// @throws SkippedException with what is missing, if it cannot be created
  static NetworkNamespace create(StoreProvisioner environments)
      throws IOException, InterruptedException {
    var namespace = new NetworkNamespace(environments);
    String wire = "tl" + ProcessHandle.current().pid() % 10_000_000;
    try {
      run(List.of("ip", "netns", "add", namespace.name));
    } catch (IOException no) {
      throw new SkippedException(
          "a network namespace needs Linux, root and iproute2 (" + no.getMessage() + ")");
    }
    environments.closeLater(namespace);
    run(("ip link add %sa type veth peer name %sb netns " + namespace.name).formatted(wire, wire));
    run("ip address add %s1/30 dev %sa".formatted(namespace.net, wire));
    run("ip link set %sa up".formatted(wire));
    namespace.runInside("ip address add %s2/30 dev %sb".formatted(namespace.net, wire));
    namespace.runInside("ip link set %sb up".formatted(wire));
    namespace.runInside("ip link set lo up");
    return namespace;
  }

  /// The host's end of the veth pair.
  InetAddress hostAddress() {
    return InetAddress.ofLiteral(net + "1");
  }

  /// The namespace's end of the veth pair.
  InetAddress namespaceAddress() {
    return InetAddress.ofLiteral(net + "2");
  }

  /// Starts a service on its usual ports, its data in a temporary folder, and waits until it is
  /// ready.
  void startService(String service, List<String> settings)
      throws IOException, InterruptedException {
    var command = inNamespace();
    command.addAll(environments.serviceCommand(service));
    command.addAll(settings);
    environments.startProcess(service, command);
    var ready = inNamespace();
    ready.addAll(httpGetCommand(service, "/health/readiness"));
    long end = System.nanoTime() + START.toNanos();
    while (!succeeds(ready)) {
      if (System.nanoTime() > end) {
        throw new IOException(
            "%s service did not become ready; see %s"
                .formatted(service, environments.log(service)));
      }
      TimeUnit.MILLISECONDS.sleep(200); // there is no notification
    }
  }

  /// The store's audit; it listens on the loopback address inside the namespace.
  String audit() {
    try {
      var command = inNamespace();
      command.addAll(httpGetCommand("frontend", "/audit"));
      return run(command);
    } catch (IOException e) {
      throw new IllegalStateException(e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private List<String> httpGetCommand(String service, String path) {
    return List.of(
        environments.home().resolve("docker/image/ask").toString(),
        String.valueOf(MANAGEMENT.get(service)),
        path);
  }

  private List<String> inNamespace() {
    return new ArrayList<>(List.of("ip", "netns", "exec", name));
  }

  private void runInside(String command) throws IOException, InterruptedException {
    var words = inNamespace();
    words.addAll(List.of(command.split(" ")));
    run(words);
  }

  private static void run(String command) throws IOException, InterruptedException {
    run(List.of(command.split(" ")));
  }

  private static String run(List<String> command) throws IOException, InterruptedException {
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(String.join(" ", command) + ": " + said.strip());
    }
    return said;
  }

  private static boolean succeeds(List<String> command) throws InterruptedException {
    try {
      run(command);
      return true;
    } catch (IOException no) {
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    try {
      run(List.of("ip", "netns", "delete", name));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
