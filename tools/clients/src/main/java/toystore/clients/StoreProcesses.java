package toystore.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import toystore.common.v1.GetStatusRequest;
import toystore.common.v1.GetStatusResponse;
import toystore.common.v1.ProcessState;
import toystore.common.v1.StatusServiceGrpc;

/// A store as separate processes, each of which can be stopped, killed and restarted. By default
/// its catalog has one product, Tux, with a stock of one million. One thread.
///
/// With `-Dtoystore.programs=launcher`, the programs are those in `target/app` that `./toystore`
/// starts, with their startup caches. Otherwise they are the jars that Maven built.
///
/// A process has the name of its service (`catalog`, `account`, `payment`, `exchange`, `order`,
/// `frontend`); a second frontend is `frontend2`. The port of XML is `exchange-xml`. Settings apply
/// from the next start of a service.
public final class StoreProcesses implements AutoCloseable {
  public static final long TUX = 1_000_000;

  /// The administrator's token.
  public static final String TOKEN = "token-of-the-administrator-of-this-store";

  /// All services, the frontend last.
  public static final List<String> SERVICES =
      List.of("catalog", "account", "payment", "exchange", "order", "frontend");

  /// Services that a store may run without.
  private static final List<String> OPTIONAL = List.of("account", "payment", "exchange");

  /// For six processes on a busy machine.
  private static final Duration START = Duration.ofMinutes(3);

  private static final Duration STATUS_DEADLINE = Duration.ofSeconds(2);

  /// The command and JVM options of every service.
  private static final List<String> JVM =
      List.of(
          Project.JAVA,
          "-Xmx128m",
          "@" + Project.HOME.resolve("jvm.options"),
          "-XX:TieredStopAtLevel=1");

  private static final boolean LAUNCHER =
      "launcher".equals(System.getProperty("toystore.programs", ""));

  private static final Map<String, List<String>> PEERS =
      Map.of(
          "order", List.of("catalog", "account", "payment"),
          "exchange", List.of("account"),
          "frontend", List.of("catalog", "account", "order", "exchange"));

  private final Path folder;
  private final Map<String, Process> processes = new TreeMap<>();
  private final Map<String, Integer> ports = new TreeMap<>();
  private final Map<String, Map<String, String>> settings = new HashMap<>();
  private final Map<String, List<String>> jvmOptions = new HashMap<>();
  private final Map<String, Class<?>> beans = new HashMap<>();
  private boolean standbys;

  /// Creates a store without starting its processes.
  ///
  /// @param folder the folder of the store's files
  public StoreProcesses(Path folder) throws IOException {
    this.folder = folder;
    sell("Tux,25.99," + TUX + "\n");
    SERVICES.forEach(it -> with(it, "toystore.data", folder.resolve("data").toString()));
    with("catalog", "toystore.catalog.file", folder.resolve("catalog.csv").toString());
    with("exchange", "toystore.exchange.xml-port", Integer.toString(port("exchange-xml")));
  }

  /// Starts a store and waits until its frontend is ready.
  public static StoreProcesses start(Path folder, String... names) throws IOException {
    return new StoreProcesses(folder).startAll(names);
  }

  /// Starts the named services and waits until the frontend is ready. Stops all if that fails.
  public StoreProcesses startAll(String... names) throws IOException {
    try {
      for (String name : names) {
        start(name);
      }
      Conditions.patiently().atMost(START).until(() -> isReady("frontend"));
      return this;
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  /// Sets the initial products.
  ///
  /// @param lines lines of a catalog file: name, price, quantity
  public StoreProcesses sell(String lines) throws IOException {
    Files.writeString(folder.resolve("catalog.csv"), "name,price,quantity\n" + lines);
    return this;
  }

  /// @param name of a service, or of one of its processes, whose settings are preferred
  public StoreProcesses with(String name, String setting, String value) {
    settings.computeIfAbsent(name, _ -> new TreeMap<>()).put(setting, value);
    return this;
  }

  /// Keeps the data of the services in PostgreSQL. Each service but the frontend has a standby
  /// then, such as `catalog2`.
  ///
  /// @param urls of the database for each process, without the user
  public StoreProcesses withDatabase(Map<String, String> urls, String user, String password)
      throws IOException {
    standbys = true;
    urls.forEach((name, url) -> with(name, "toystore.database", url));
    for (String service : SERVICES.subList(0, SERVICES.size() - 1)) {
      with(service, "toystore.database-user", user);
      with(service, "toystore.database-password-file", passwordFile().toString());
    }
    return changePassword(password);
  }

  /// Changes the file with the password of the database.
  public StoreProcesses changePassword(String password) throws IOException {
    Files.writeString(passwordFile(), password);
    return this;
  }

  private Path passwordFile() {
    return folder.resolve("database-password");
  }

  /// Sets additional JVM options of a service and replaces those set before.
  public StoreProcesses withJvm(String service, String... options) {
    jvmOptions.put(service, List.of(options));
    return this;
  }

  /// Adds a bean to a service, from the class path of this program; null removes it.
  public StoreProcesses withBean(String service, @Nullable Class<?> bean) {
    if (bean == null) {
      beans.remove(service);
    } else {
      beans.put(service, bean);
    }
    return this;
  }

  /// Returns a client of the HTTP ports of a process. Services other than the frontend have only a
  /// port for metrics.
  public StoreHttpClient http(String name) {
    return new StoreHttpClient(port(name), port(name + "-management"));
  }

  /// Returns a gRPC client of a process, with the administrator's token.
  public GrpcTestClient grpc(String name) {
    return new GrpcTestClient(port(name), TOKEN);
  }

  /// Whether a process can answer all calls.
  public boolean isReady(String name) {
    return isFrontend(name)
        ? http(name).isReady()
        : status(name).getState() == ProcessState.PROCESS_STATE_READY;
  }

  /// Whether a process answers, as a standby does.
  public boolean isAlive(String name) {
    return isFrontend(name)
        ? http(name).isAlive()
        : status(name).getState() != ProcessState.PROCESS_STATE_UNSPECIFIED;
  }

  /// Returns the state of a process with a gRPC port, with the reasons; without a state if it does
  /// not answer.
  public GetStatusResponse status(String name) {
    try (GrpcTestClient client = grpc(name)) {
      return client
          .stub(StatusServiceGrpc::newBlockingStub, STATUS_DEADLINE)
          .getStatus(GetStatusRequest.getDefaultInstance());
    } catch (StatusRuntimeException away) {
      return GetStatusResponse.getDefaultInstance();
    }
  }

  private static boolean isFrontend(String name) {
    return service(name).equals("frontend");
  }

  /// Returns the gRPC port of a process, or the HTTP port of a frontend. For `NAME-management`,
  /// returns the management port.
  public int port(String name) {
    return ports.computeIfAbsent(name, _ -> FreePorts.free());
  }

  /// Returns the gRPC target of a port on this machine.
  public static String target(int port) {
    return "static://127.0.0.1:" + port;
  }

  /// Starts a process. It runs without the optional services that were not started before.
  public void start(String name) throws IOException {
    String service = service(name);
    var command = new ArrayList<>(JVM);
    command.add("-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"));
    command.addAll(jvmOptions.getOrDefault(service, List.of()));
    command.addAll(program(service));
    Map<String, String> all = targets(service);
    all.putAll(settings.getOrDefault(service, Map.of()));
    all.putAll(settings.getOrDefault(name, Map.of()));
    all.put("toystore." + service + ".port", "" + port(name));
    all.put("toystore." + service + ".management-port", "" + port(name + "-management"));
    all.forEach((key, value) -> command.add("--" + key + "=" + value));
    var builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("TOYSTORE_ADMIN_TOKEN", TOKEN);
    processes.put(name, builder.redirectOutput(Redirect.appendTo(log(name).toFile())).start());
  }

  /// What `java` needs to start a service. The class path of an additional bean comes last.
  private List<String> program(String service) {
    Path jar = LAUNCHER ? BuiltPrograms.jar(Project.HOME, "store") : Project.jar(service);
    Class<?> bean = beans.get(service);
    if (bean == null) {
      return LAUNCHER
          ? List.of("@" + Project.HOME.resolve("target/app/" + service + "-service.options"))
          : List.of("-jar", jar.toString());
    }
    String classes = bean.getProtectionDomain().getCodeSource().getLocation().getPath();
    String name = service.substring(0, 1).toUpperCase(Locale.ROOT) + service.substring(1);
    return List.of(
        "-cp",
        jar + ":" + classes,
        "toystore." + service + "." + name + "Application",
        "--spring.main.sources=" + bean.getName());
  }

  private static String service(String name) {
    return name.replaceAll("\\d", "");
  }

  private Map<String, String> targets(String service) {
    Map<String, String> targets = new TreeMap<>();
    for (String peer : PEERS.getOrDefault(service, List.of())) {
      boolean exists = !OPTIONAL.contains(peer) || processes.containsKey(peer);
      String standby = standbys ? ",127.0.0.1:" + port(peer + "2") : "";
      String target = exists ? target(port(peer)) + standby : "";
      targets.put("toystore." + service + "." + peer + "-target", target);
    }
    return targets;
  }

  /// Returns the log file of a process. The file is kept after the store is closed.
  public static Path log(String name) throws IOException {
    return Files.createDirectories(Path.of("target")).resolve("store-process-" + name + ".log");
  }

  /// Kills a process (SIGKILL).
  public void kill(String name) throws InterruptedException {
    assertThat(process(name).destroyForcibly().waitFor(10, TimeUnit.SECONDS)).isTrue();
  }

  /// Sends SIGTERM to a process and waits until it has exited.
  ///
  /// @return its exit code
  public int stop(String name) throws InterruptedException {
    process(name).destroy();
    assertThat(process(name).waitFor(15, TimeUnit.SECONDS))
        .as(name + " exits within 15 s of SIGTERM")
        .isTrue();
    return process(name).exitValue();
  }

  /// Suspends a process (SIGSTOP).
  public void freeze(String name) throws IOException {
    signal("STOP", name);
  }

  /// Resumes a process (SIGCONT).
  public void thaw(String name) throws IOException {
    signal("CONT", name);
  }

  private void signal(String signal, String name) throws IOException {
    Project.run(List.of("kill", "-" + signal, Long.toString(process(name).pid())));
  }

  /// Returns the latest process of that name.
  public Process process(String name) {
    return Objects.requireNonNull(processes.get(name), name);
  }

  @Override
  public void close() {
    processes.values().forEach(Process::destroyForcibly);
  }
}
