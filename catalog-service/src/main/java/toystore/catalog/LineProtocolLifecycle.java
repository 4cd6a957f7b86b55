package toystore.catalog;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;
import toystore.catalog.domain.BazaarPrices;
import toystore.catalog.domain.Catalog;
import toystore.catalog.domain.Product;
import toystore.catalog.line.LineProtocolServer;
import toystore.catalog.line.WorkerPool;
import toystore.platform.service.ServerSettings;
import toystore.platform.service.StartupException;

/// The bazaar's line protocol, enabled by its port setting. The answer to `Lookup,GameStart` is the
/// price, `-1` for an unknown stock, or `0` for a suspended one.
@Component
final class LineProtocolLifecycle implements SmartLifecycle {
  private static final String LOOKUP = "Lookup,";
  private static final int QUOTED = 100;

  private final Catalog catalog;
  private final CatalogSettings settings;
  private final ServerSettings serverSettings;
  private final MeterRegistry registry;
  private @Nullable WorkerPool workers;
  private @Nullable LineProtocolServer server;

  LineProtocolLifecycle(
      Catalog catalog,
      CatalogSettings settings,
      ServerSettings serverSettings,
      MeterRegistry registry) {
    this.catalog = catalog;
    this.settings = settings;
    this.serverSettings = serverSettings;
    this.registry = registry;
  }

  String answer(String line) {
    if (!line.startsWith(LOOKUP)) {
      return String.format(Locale.ROOT, "error: expected %sNAME, got \"%s\"", LOOKUP, quoted(line));
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
    Timer queued =
        Timer.builder("toystore.line.queue")
            .description("Time a task waits in the queue")
            .register(registry);
    workers =
        new WorkerPool(
            "line-worker",
            settings.linePool(),
            settings.lineConnections(),
            nanos -> queued.record(nanos, TimeUnit.NANOSECONDS));
    var setup =
        new LineProtocolServer.Setup(
            workers, this::answer, settings.lineConnections(), settings.lineIdle());
    try {
      server = LineProtocolServer.open(at, settings.lineServing(), setup);
    } catch (IOException e) {
      workers.close();
      throw e instanceof BindException
          ? new StartupException("port " + settings.linePort() + " is in use", e)
          : new UncheckedIOException(e);
    }
    show(workers, server);
  }

  private void show(WorkerPool pool, LineProtocolServer open) {
    Gauge.builder("toystore.line.connections", open, LineProtocolServer::connections)
        .description("Open connections, served or waiting")
        .register(registry);
    Gauge.builder("toystore.line.workers.busy", pool, WorkerPool::busy)
        .description("Busy threads of the pool")
        .register(registry);
    Gauge.builder("toystore.line.queue.depth", pool, WorkerPool::waiting)
        .description("Tasks waiting for a thread of the pool")
        .register(registry);
    FunctionCounter.builder(
            "toystore.line.turned.away", open, LineProtocolServer::rejectedConnections)
        .description("Connections closed at once because the maximum number was open")
        .register(registry);
  }

  /// The port, or 0 if it does not listen.
  int port() {
    return server == null ? 0 : server.port();
  }

  @Override
  public void stop() {
    try {
      if (server != null) {
        server.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      if (workers != null) {
        workers.close();
      }
      server = null;
      workers = null;
    }
  }

  @Override
  public boolean isRunning() {
    return server != null;
  }
}
