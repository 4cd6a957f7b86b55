package toystore.cli.load;

import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import toystore.cli.command.CommandRefusal;
import toystore.cli.launch.DataFolder;
import toystore.cli.launch.JavaCommandLine;
import toystore.cli.launch.LauncherTimeouts;
import toystore.cli.launch.ReadinessClient;
import toystore.cli.launch.Services;
import toystore.cli.launch.StoreLayout;
import toystore.cli.launch.StorePlan;
import toystore.cli.launch.Supervisor;
import toystore.clients.StoreHttpClient;
import toystore.clients.load.ClosedLoop;

/// A training run: starts the store as one process and sends queries, buys and purchases. When they
/// exit, this JVM and the store's write ahead-of-time caches of the classes that they loaded. With
/// them a start takes a third of the time. A few calls of each kind are enough to load their
/// classes. `./toystore train` prepares the run and installs the caches.
@Command(
    name = "train",
    description =
        "Create the startup caches now; otherwise up creates them in the background, at low priority.")
public final class TrainCommand implements Callable<Integer> {
  private static final int CALLS = 8;
  private static final int CLIENTS = 4;
  private static final List<LoadKind> OVER_HTTP =
      List.of(
          LoadKind.QUERY,
          LoadKind.BUY,
          LoadKind.SEARCH,
          LoadKind.ITEMS,
          LoadKind.PURCHASE,
          LoadKind.EXCHANGE_REST);

  /// A JVM that writes its cache takes longer to exit.
  private static final LauncherTimeouts TIMEOUTS =
      new LauncherTimeouts(
          Duration.ofSeconds(90),
          Duration.ofSeconds(90),
          LauncherTimeouts.USUAL.firstPause(),
          LauncherTimeouts.USUAL.longestPause());

  @Override
  public Integer call() throws IOException, InterruptedException {
    Path home = JavaCommandLine.projectFolder();
    Path cache = home.resolve("target/app/startup/services.aot.new");
    var jvms = new JavaCommandLine(home, List.of("-XX:AOTCacheOutput=" + cache));
    var folder = new DataFolder(home.resolve("target/app/train-data"));
    Files.deleteIfExists(cache);
    if (folder.exists()) { // left by a training run that was ended
      folder.remove();
    }
    try (FileChannel _ = folder.claim()) {
      folder.makeFolders();
      run(jvms, plan(folder), folder);
    } finally {
      folder.remove();
    }
    return Files.exists(cache) ? 0 : 1;
  }

  private static void run(JavaCommandLine jvms, StorePlan plan, DataFolder folder)
      throws IOException, InterruptedException {
    var client = new TrainingClient(plan.layout());
    var supervisor =
        new Supervisor(
            plan.parts(),
            part ->
                jvms.process(part, folder.path()).redirectOutput(ProcessBuilder.Redirect.DISCARD),
            TIMEOUTS,
            client);
    client.whenDone = supervisor::stop;
    supervisor.run();
  }

  private static StorePlan plan(DataFolder folder) throws IOException {
    var services = Services.ofProject();
    return IntStream.iterate(20_080, port -> port < 60_000, port -> port + 100)
        .mapToObj(StoreLayout::together)
        .map(layout -> new StorePlan(services, layout, null, folder.path(), null, List.of()))
        .filter(plan -> plan.busyPort(StoreLayout.loopback()).isEmpty())
        .findFirst()
        .orElseThrow(() ->
            new CommandRefusal("no free range of ports from 20080 to 60000 for the training run"));
  }

  /// Sends queries and buys when the store is ready, then stops it.
  private static final class TrainingClient implements Supervisor.Listener {
    private final StoreLayout layout;
    private Runnable whenDone = () -> {};

    TrainingClient(StoreLayout layout) {
      this.layout = layout;
    }

    @Override
    public void storeReady() {
      Thread.ofPlatform().name("customer").start(this::run);
    }

    private void run() {
      String url = layout.url();
      try (var client = // as `up` asks separate processes
          new ReadinessClient(layout.ports().of(Services.ofProject().catalog()), 0)) {
        client.state();
        new StoreHttpClient(URI.create(url), 0).get("/", "Accept", "text/html");
        for (LoadKind kind : OVER_HTTP) {
          send(kind, url);
        }
        SortedMap<String, Integer> ports =
            layout.ports().further(Services.ofProject().named("exchange"), 1);
        send(LoadKind.EXCHANGE_XML, "xml://127.0.0.1:" + ports.get("xml"));
      } catch (IOException | CommandRefusal failure) {
        warn("training: " + failure.getMessage());
      } catch (InterruptedException ending) {
        Thread.currentThread().interrupt();
      } finally {
        whenDone.run();
      }
    }

    private void send(LoadKind kind, String url) throws IOException, InterruptedException {
      var load = StoreLoad.prepare(kind, url, layout.url(), null, CLIENTS);
      try (ClosedLoop loop = load.loop()) {
        load.run(loop, CALLS, 0);
      }
    }

    @Override
    public void warn(String line) {
      System.err.println(line);
    }
  }
}
