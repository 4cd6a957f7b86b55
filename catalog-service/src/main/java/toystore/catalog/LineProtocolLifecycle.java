package toystore.catalog;

import static toystore.common.RootLocale.format;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.ExecutorServiceMetrics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;
import toystore.catalog.domain.BazaarPrices;
import toystore.catalog.domain.Catalog;
import toystore.catalog.domain.Product;
import toystore.catalog.line.LineProtocolServer;
import toystore.platform.service.ServerSettings;
import toystore.platform.service.StartupException;
import toystore.platform.storage.Database;

/// The bazaar's line protocol. The answer to `Lookup,GameStart` is the price, `-1` for an unknown
/// product, or `0` for a suspended one.
@Component
final class LineProtocolLifecycle implements SmartLifecycle {
  private static final String LOOKUP = "Lookup,";
  private static final int QUOTED = 100;

  private static final int MAX_CONNECTIONS = 1_000;

  private static final Duration MAX_IDLE = Duration.ofSeconds(60);

  private final Catalog catalog;
  private final Database database;
  private final CatalogSettings settings;
  private final ServerSettings serverSettings;
  private final MeterRegistry registry;
  private @Nullable LineProtocolServer server;

  LineProtocolLifecycle(
      Catalog catalog,
      Database database,
      CatalogSettings settings,
      ServerSettings serverSettings,
      MeterRegistry registry) {
    this.catalog = catalog;
    this.database = database;
    this.settings = settings;
    this.serverSettings = serverSettings;
    this.registry = registry;
  }

  String answer(String line) {
    if (!line.startsWith(LOOKUP)) {
      return format("error: expected %sNAME, got \"%s\"", LOOKUP, quoted(line));
    }
    if (database.notServing() != null) { // the price may be old
      return "error: this process does not serve; retry later, or at another address";
    }
    Product stock = catalog.findStock(line.substring(LOOKUP.length()).strip());
    if (stock == null) {
      return "-1";
    }
    return stock.suspended() ? "0" : BazaarPrices.text(stock.priceCents());
  }

  private static String quoted(String line) {
    String first = line.length() <= QUOTED ? line : line.substring(0, QUOTED) + "…";
    return first.replaceAll("\\p{Cntrl}", "?");
  }

  @Override
  public void start() {
    if (settings.linePort() == null) {
      return;
    }
    var at = new InetSocketAddress(serverSettings.listen(), settings.linePort());
    int pool = settings.linePool();
    ExecutorService workers =
        ExecutorServiceMetrics.monitor(
            registry,
            new ThreadPoolExecutor(
                pool,
                pool,
                0,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(MAX_CONNECTIONS),
                Thread.ofPlatform().name("line-worker-", 0).factory()),
            "line-worker");
    var setup = new LineProtocolServer.Setup(workers, this::answer, MAX_CONNECTIONS, MAX_IDLE);
    try {
      server = new LineProtocolServer(at, settings.lineServing(), setup);
    } catch (IOException e) {
      throw e instanceof BindException
          ? new StartupException("port " + settings.linePort() + " is in use", e)
          : new UncheckedIOException(e);
    }
    Gauge.builder("toystore.line.connections", server, LineProtocolServer::connections)
        .description("Open connections, served or waiting")
        .register(registry);
    FunctionCounter.builder(
            "toystore.line.turned.away", server, LineProtocolServer::rejectedConnections)
        .description("Connections closed at once because the maximum number was open")
        .register(registry);
  }

  /// @return 0 if it does not listen
  int port() {
    return server == null ? 0 : server.port();
  }

  @Override
  public void stop() {
    if (server != null) {
      server.close();
      server = null;
    }
  }

  @Override
  public boolean isRunning() {
    return server != null;
  }
}
