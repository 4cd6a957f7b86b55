package toystore.exchange.xml;

import static toystore.common.RootLocale.format;

import com.sun.management.UnixOperatingSystemMXBean;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;
import toystore.exchange.ExchangeSettings;
import toystore.exchange.domain.ExchangeCommand;
import toystore.exchange.domain.ExchangeRequest.FindOrder;
import toystore.exchange.domain.ExchangeUnitOfWork;
import toystore.exchange.domain.OpenedOrder.OrderWithTrades;
import toystore.exchange.storage.OrderAnswerStore;
import toystore.platform.journal.Answer;
import toystore.platform.journal.Submitted;
import toystore.platform.service.StartupException;
import toystore.platform.storage.Database;
import toystore.platform.storage.NotExecutedException;
import toystore.platform.storage.ReadPool;
import toystore.platform.storage.SingleWriter;

/// Starts and stops the XML gateway, and has its metrics.
@Component
final class XmlGatewayLifecycle implements SmartLifecycle {
  private static final Logger log = LoggerFactory.getLogger(XmlGatewayLifecycle.class);
  private static final Duration DEADLINE = Duration.ofSeconds(20);
  private static final Duration KEEP_ALIVE = Duration.ofSeconds(5);
  private static final Duration SILENCE = Duration.ofSeconds(5);
  private static final long BUFFER_BYTES = 32L << 20;

  /// Further ones wait in the kernel's backlog.
  private static final int MAX_CONNECTIONS = 16_384;

  /// For the first request of a connection, and for a request to arrive.
  private static final Duration MAX_IDLE = Duration.ofSeconds(60);

  private static final int MAX_REQUEST_BYTES = 1 << 20;
  private static final long OTHER_FILES = 1_000; // of the whole process, at most a quarter

  private final SingleWriter<ExchangeUnitOfWork> writer;
  private final OrderAnswerStore orderAnswers;
  private final ReadPool reader;
  private final Database database;
  private final ExchangeSettings settings;
  private final MeterRegistry registry;
  private final InstantSource clock = InstantSource.system();
  private @Nullable XmlServer server;

  XmlGatewayLifecycle(
      SingleWriter<ExchangeUnitOfWork> writer,
      OrderAnswerStore orderAnswers,
      @Qualifier("xmlReader") ReadPool reader,
      Database database,
      ExchangeSettings settings,
      MeterRegistry registry) {
    this.writer = writer;
    this.orderAnswers = orderAnswers;
    this.reader = reader;
    this.database = database;
    this.settings = settings;
    this.registry = registry;
  }

  @Override
  public void start() {
    var at = new InetSocketAddress(settings.xmlListen(), settings.xmlPort());
    var gateway = new XmlGateway(limits(), this::submit, this::find);
    try {
      server = new XmlServer(at, gateway);
    } catch (BindException e) {
      throw new StartupException(format("port %d is in use", settings.xmlPort()), e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    show(server, gateway);
  }

  private <T> CompletionStage<Answer<T>> submit(ExchangeCommand<T> command) {
    String reason = database.notServing();
    return reason == null
        ? writer.submit(new Submitted<>(command, null, clock.instant().plus(DEADLINE), () -> false))
        : CompletableFuture.failedFuture(NotExecutedException.because(reason));
  }

  private CompletionStage<Answer<OrderWithTrades>> find(FindOrder query) {
    String reason = database.notServing();
    return reason == null
        ? orderAnswers.newest(reader, query)
        : CompletableFuture.failedFuture(NotExecutedException.because(reason));
  }

  private XmlGatewayLimits limits() {
    return new XmlGatewayLimits(
        connections(),
        MAX_IDLE,
        KEEP_ALIVE,
        SILENCE,
        MAX_REQUEST_BYTES,
        Math.max(1, writer.queueBound() / 2), // the other half is for gRPC
        DEADLINE,
        BUFFER_BYTES,
        settings.xmlLengthLine());
  }

  private int connections() {
    if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system) {
      long files = system.getMaxFileDescriptorCount();
      long allowed = Math.max(files - OTHER_FILES, files * 3 / 4);
      if (MAX_CONNECTIONS > allowed) {
        log.warn(
            "at most {} XML connections instead of {}, because this process may open {} files"
                + " (ulimit -n); further ones wait",
            allowed,
            MAX_CONNECTIONS,
            files);
        return (int) allowed;
      }
    }
    return MAX_CONNECTIONS;
  }

  private void show(XmlServer open, XmlGateway gateway) {
    Gauge.builder("toystore.exchange.xml.connections", open, XmlServer::connections)
        .description("Open XML connections")
        .register(registry);
    FunctionCounter.builder("toystore.exchange.xml.requests", gateway, XmlGateway::requests)
        .description("XML requests since the start")
        .register(registry);
    FunctionCounter.builder(
            "toystore.exchange.xml.malformed", gateway, XmlGateway::malformedRequests)
        .description("XML requests that were malformed, since the start")
        .register(registry);
  }

  /// 0 if it does not listen.
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
      server = null;
    }
  }

  @Override
  public boolean isRunning() {
    return server != null;
  }
}
