package toystore.cli;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;

/// A training run after each build: starts the store, once as separate processes and once as one
/// process, and sends queries, buys and purchases. Each JVM writes an ahead-of-time cache of its
/// loaded classes when it exits. With that cache a start takes a third of the time. A few calls of
/// each kind are enough to load their classes.
@Command(name = "train", hidden = true, description = "Create the startup caches.")
final class TrainCommand implements Callable<Integer> {
  private static final int CALLS = 8;
  private static final int CLIENTS = 4;
  private static final List<ClosedLoopLoad.Kind> MARKETPLACE =
      List.of(ClosedLoopLoad.Kind.SEARCH, ClosedLoopLoad.Kind.ITEMS, ClosedLoopLoad.Kind.PURCHASE);

  /// A JVM that writes its cache takes longer to exit.
  private static final LauncherTimeouts TIMEOUTS =
      new LauncherTimeouts(
          Duration.ofSeconds(90),
          Duration.ofSeconds(90),
          LauncherTimeouts.USUAL.firstPause(),
          LauncherTimeouts.USUAL.longestPause());

  /// The run with separate processes is always done, because it also trains the launcher itself.
  @Override
  public Integer call() throws IOException, InterruptedException {
    var jvms = new JavaCommandLine(JavaCommandLine.projectFolder(), true);
    var trained = train(jvms, false);
    return (Files.exists(jvms.cache("store")) || train(jvms, true)) && trained ? 0 : 1;
  }

  private static boolean train(JavaCommandLine jvms, boolean together)
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

  private static void run(JavaCommandLine jvms, StorePlan plan, DataFolder folder)
      throws IOException, InterruptedException {
    var client = new TrainingClient(plan.ports().frontend());
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

  private static StorePlan plan(boolean together, DataFolder folder) throws IOException {
    var services = Services.ofProject();
    return IntStream.iterate(20_080, port -> port < 60_000, port -> port + 100)
        .mapToObj(port ->
            new StorePlan(
                services,
                together,
                1,
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

  /// Sends queries and buys when the store is ready, then stops it.
  private static final class TrainingClient implements Supervisor.Listener {
    private final int port;
    private Runnable whenDone = () -> {};

    TrainingClient(int port) {
      this.port = port;
    }

    @Override
    public void storeReady() {
      Thread.ofPlatform().name("customer").start(this::run);
    }

    private void run() {
      var url = "http://127.0.0.1:" + port;
      try (var shop = HttpStoreTarget.at(url)) {
        var products = shop.products(ClosedLoopLoad.Kind.BUY);
        shop.send(shop.page());
        ClosedLoopLoad.run(shop, ClosedLoopLoad.Kind.QUERY, products, CALLS, CLIENTS);
        ClosedLoopLoad.run(shop, ClosedLoopLoad.Kind.BUY, products, CALLS, CLIENTS);
        for (var kind : MARKETPLACE) {
          try (var users = MarketplaceLoadTarget.prepare(HttpStoreTarget.at(url), kind, CLIENTS)) {
            ClosedLoopLoad.run(users, kind, users.products(kind), CALLS, CLIENTS);
          }
        }
        trade(url);
      } catch (IOException | CommandRefused failure) {
        warn("training: " + failure.getMessage());
      } catch (InterruptedException ending) {
        Thread.currentThread().interrupt();
      } finally {
        whenDone.run();
      }
    }

    private void trade(String url) throws IOException, InterruptedException {
      var exchange = Services.ofProject().named("exchange");
      var xml = new HostAndPort(StorePlan.LOOPBACK, new PortPlan(port).further(exchange, "xml"));
      var rest = ClosedLoopLoad.Kind.EXCHANGE_REST;
      try (var orders = ExchangeLoadTarget.prepare(HttpStoreTarget.at(url), url, CLIENTS);
          var documents = ExchangeXmlTarget.prepare(xml, CLIENTS)) {
        ClosedLoopLoad.run(orders, rest, orders.products(rest), CALLS, CLIENTS);
        ClosedLoopLoad.run(
            documents, ClosedLoopLoad.Kind.EXCHANGE_XML, orders.products(rest), CALLS, CLIENTS);
      }
    }

    @Override
    public void warn(String line) {
      System.err.println(line);
    }
  }
}
