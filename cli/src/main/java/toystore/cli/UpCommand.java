package toystore.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Unmatched;

/// `./toystore up`: starts the store and stays until it is stopped.
@Command(
    name = "up",
    description = "Start the store and stay in the foreground; Ctrl-C stops it.",
    footer = {
      "",
      "Settings of the services may follow as --toystore.…=…, --spring.…=…, --server.…=… and",
      "--logging.…=…; they are passed on as they are."
    })
final class UpCommand implements Callable<Integer> {
  private static final String TOKEN_VARIABLE = "TOYSTORE_ADMIN_TOKEN";

  @Option(names = "--together", description = "All services in one JVM, not a process each.")
  private boolean together;

  @Option(
      names = "--port",
      paramLabel = "N",
      description = "The frontend's port (default 8080); all others move along.")
  private int port = Ports.DEFAULT;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "The data folder (default: data/ beside ./toystore).")
  private @Nullable Path data;

  @Option(
      names = "--catalog",
      paramLabel = "FILE",
      description =
          "CSV of the first products: name,price,quantity[,category,max_volume]. Read on the first"
              + " start only.")
  private @Nullable Path catalog;

  @Option(
      names = "--listen",
      paramLabel = "ADDR",
      description = "Where the frontend is reached (default 127.0.0.1).")
  private String listen = StorePlan.LOOPBACK;

  @Option(names = "--fresh", description = "Use a temporary data folder, removed at the end.")
  private boolean fresh;

  @Unmatched private final List<String> others = new ArrayList<>();

  private final PrintStream out = System.out;
  private final PrintStream err = System.err;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (fresh && data != null) {
      throw Refused.usage("--fresh uses a folder of its own: leave out --data");
    }
    var ports = new Ports(port);
    var settings = Settings.of(others);
    var address = address(listen);
    var catalogFile = catalog == null ? null : readable(catalog);
    // made last of all: a refused start leaves nothing behind
    var folder =
        fresh
            ? new DataFolder(temporary().resolve("toystore-" + UUID.randomUUID()))
            : DataFolder.of(data);
    var plan = new StorePlan(together, ports, folder.path(), catalogFile, listen, List.of());
    Settings.checkAgainst(plan.parts(), settings);
    try (var claim = claim(folder, plan, address)) {
      return run(folder, plan.with(settings), address);
    }
  }

  /// A folder another `up` works on is named first: its ports are likely the ones that are busy.
  private static DataFolder.Claim claim(DataFolder folder, StorePlan plan, InetAddress address)
      throws IOException {
    if (folder.looksOurs()) {
      var claim = folder.claim();
      try {
        refuseBusyPort(plan, address);
        return claim;
      } catch (Refused busy) {
        claim.close();
        throw busy;
      }
    }
    refuseBusyPort(plan, address);
    return folder.claim();
  }

  private static void refuseBusyPort(StorePlan plan, InetAddress address) {
    plan.busyPort(address)
        .ifPresent(line -> {
          throw new Refused(line);
        });
  }

  private int run(DataFolder folder, StorePlan plan, InetAddress address)
      throws IOException, InterruptedException {
    var done = new CountDownLatch(1);
    var jvms = new Jvms(Jvms.projectFolder(), false);
    var supervisor =
        new Supervisor(
            plan.parts(),
            (part, events) -> Child.start(part, process(jvms, part, folder), events),
            Patience.USUAL,
            new Told(folder, plan, address));
    var hook = stopAtSignal(supervisor, done);
    try {
      Files.createDirectories(folder.path().resolve("log"));
      return supervisor.run();
    } finally {
      Files.deleteIfExists(folder.upProperties());
      if (fresh) {
        folder.remove();
      }
      done.countDown();
      forget(hook);
    }
  }

  /// What a JVM says on stdout (a thread dump that was asked for) goes beside its log.
  private static ProcessBuilder process(Jvms jvms, Part part, DataFolder folder) {
    var stdout = folder.path().resolve("log").resolve(part.app() + ".out");
    return jvms.process(part, folder.path())
        .redirectOutput(ProcessBuilder.Redirect.appendTo(stdout.toFile()));
  }

  /// Ctrl-C, SIGTERM and SIGHUP stop the store in order; then the exit code is 0, where the JVM
  /// itself would say that a signal ended it.
  private static Thread stopAtSignal(Supervisor supervisor, CountDownLatch done) {
    var longest = Patience.USUAL.stop().multipliedBy(8);
    var hook =
        new Thread(
            () -> {
              supervisor.stop();
              Runtime.getRuntime().halt(isDone(done, longest) ? 0 : 1);
            },
            "stop");
    Runtime.getRuntime().addShutdownHook(hook);
    return hook;
  }

  private static boolean isDone(CountDownLatch done, Duration within) {
    try {
      return done.await(within.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException impossible) {
      return false;
    }
  }

  private static void forget(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException stopping) {
      // the hook itself is what ended us
    }
  }

  private static InetAddress address(String listen) {
    try {
      return InetAddress.getByName(listen);
    } catch (UnknownHostException unknown) {
      throw new Refused("--listen must be an address of this machine, got " + listen);
    }
  }

  private static Path readable(Path file) {
    if (!Files.isReadable(file) || Files.isDirectory(file)) {
      throw new Refused("--catalog: cannot read the file " + file);
    }
    return file.toAbsolutePath().normalize();
  }

  private static Path temporary() {
    return Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath();
  }

  /// Tells people and `up.properties` how the start goes.
  private final class Told implements Supervisor.Listener {
    private final DataFolder folder;
    private final StorePlan plan;
    private final InetAddress address;
    private Running running;

    Told(DataFolder folder, StorePlan plan, InetAddress address) {
      this.folder = folder;
      this.plan = plan;
      this.address = address;
      this.running =
          new Running(
              ProcessHandle.current().pid(),
              plan.together(),
              plan.ports().frontend(),
              plan.listen(),
              Instant.now(),
              Map.of());
    }

    @Override
    public void started(Part part, long pid) {
      running = running.with(part, pid);
      try {
        running.write(folder.upProperties());
      } catch (IOException broken) {
        warn("cannot write %s: %s".formatted(folder.upProperties(), broken.getMessage()));
      }
    }

    @Override
    public void ready(Part part, long pid) {
      for (var service : part.services()) {
        say("%-16s  pid %d, %s".formatted(service.name(), pid, service.portsInWords()));
      }
    }

    @Override
    public void storeReady() {
      var url = "http://%s:%d".formatted(host(), plan.ports().frontend());
      say("ready " + url);
      say("  curl %s/products/Tux".formatted(url));
      say("  curl -d '{\"name\":\"Tux\",\"quantity\":1}' %s/orders".formatted(url));
      say("management http://127.0.0.1:" + plan.ports().frontendManagement());
      say(
          System.getenv(TOKEN_VARIABLE) == null
              ? "administrator's token in " + folder.adminToken()
              : "administrator's token as given in " + TOKEN_VARIABLE);
      if (!address.isLoopbackAddress()) {
        say(
            ("reachable from %s: port %d, the shop over HTTP, no encryption; gRPC and management"
                    + " stay on 127.0.0.1")
                .formatted(
                    address.isAnyLocalAddress()
                        ? "every network of this machine"
                        : "the network of " + listen,
                    plan.ports().frontend()));
      }
    }

    /// Where this machine itself reaches the frontend.
    private String host() {
      if (address.isAnyLocalAddress() || address.isLoopbackAddress()) {
        return StorePlan.LOOPBACK;
      }
      return listen.contains(":") ? "[" + listen + "]" : listen;
    }

    @Override
    public void say(String line) {
      out.println(line);
      out.flush();
    }

    @Override
    public void warn(String line) {
      err.println(line);
      err.flush();
    }
  }
}
