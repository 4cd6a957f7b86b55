package toystore.cli;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;

/// A training run, which the launcher does after it has built: the store is started, queried and
/// bought from as in earnest, once apart and once together, and each JVM writes down at its end
/// which classes it loaded. With that cache a start takes a third of the time.
@Command(name = "train", hidden = true, description = "Create the startup caches.")
final class TrainCommand implements Callable<Integer> {
  private static final int QUERIES = 400;
  private static final int BUYS = 200;
  private static final int CLIENTS = 4;
  private static final int LOOKS = 20;

  /// A JVM that writes its cache at its end takes a while to end.
  private static final LauncherTimeouts PATIENCE =
      new LauncherTimeouts(
          Duration.ofSeconds(90),
          Duration.ofSeconds(90),
          LauncherTimeouts.USUAL.firstPause(),
          LauncherTimeouts.USUAL.longestPause());

  /// The run with a process each is done even where no service needs it: it trains this program.
  @Override
  public Integer call() throws IOException, InterruptedException {
    var jvms = new JvmCommands(JvmCommands.projectFolder(), true);
    var trained = train(jvms, false);
    return (Files.exists(jvms.cache("store")) || train(jvms, true)) && trained ? 0 : 1;
  }

  private static boolean train(JvmCommands jvms, boolean together)
      throws IOException, InterruptedException {
    var temporary = Files.createTempDirectory("toystore-train-");
    var folder = new DataFolder(temporary);
    var plan = plan(together, folder);
    try (var claim = folder.claim()) {
      Files.createDirectories(temporary.resolve("log"));
      run(jvms, plan, folder);
    } finally {
      folder.remove();
    }
    return plan.parts().stream().allMatch(part -> Files.exists(jvms.cache(part.app())));
  }

  private static void run(JvmCommands jvms, StorePlan plan, DataFolder folder)
      throws IOException, InterruptedException {
    var customer = new Customer(plan.ports().frontend());
    var supervisor =
        new Supervisor(
            plan.parts(),
            part ->
                jvms.process(part, folder.path()).redirectOutput(ProcessBuilder.Redirect.DISCARD),
            PATIENCE,
            customer);
    customer.whenDone = supervisor::stop;
    supervisor.run();
  }

  private static StorePlan plan(boolean together, DataFolder folder) throws IOException {
    var services = Services.ofProject();
    return IntStream.iterate(20_080, port -> port < 60_000, port -> port + 100)
        .mapToObj(port ->
            new StorePlan(
                services,
                together,
                new PortPlan(port),
                folder.path(),
                null,
                StorePlan.LOOPBACK,
                List.of()))
        .filter(plan -> plan.busyPort(InetAddress.getLoopbackAddress()).isEmpty())
        .findFirst()
        .orElseThrow(() ->
            new CommandRefused("no free range of ports from 20080 to 60000 for the training run"));
  }

  /// Comes when the store is ready, looks around, buys, and goes.
  private static final class Customer implements Supervisor.Listener {
    private final int port;
    private Runnable whenDone = () -> {};

    Customer(int port) {
      this.port = port;
    }

    @Override
    public void storeReady() {
      Thread.ofPlatform().name("customer").start(this::visit);
    }

    private void visit() {
      try (var shop = HttpStoreTarget.at("http://127.0.0.1:" + port)) {
        var products = shop.products(true);
        for (int look = 0; look < LOOKS; look++) {
          shop.send(shop.page());
        }
        ClosedLoopLoad.run(shop, ClosedLoopLoad.Kind.QUERY, products, QUERIES, CLIENTS);
        ClosedLoopLoad.run(shop, ClosedLoopLoad.Kind.BUY, products, BUYS, CLIENTS);
      } catch (IOException | CommandRefused failure) {
        warn("training: " + failure.getMessage());
      } catch (InterruptedException ending) {
        Thread.currentThread().interrupt();
      } finally {
        whenDone.run();
      }
    }

    @Override
    public void warn(String line) {
      System.err.println(line);
    }
  }
}
