package toystore.platform.service;

import static toystore.common.RootLocale.format;

import com.sun.net.httpserver.Authenticator;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpPrincipal;
import io.prometheus.metrics.exporter.httpserver.HTTPServer;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.springframework.core.env.Environment;

/// The port of a gRPC service's process for `GET /actuator/prometheus`. Requests for another host
/// are answered with 421, other paths with 404.
final class MetricsServer implements AutoCloseable {
  private static final String PATH = "/actuator/prometheus";
  private static final int THREADS = 2;
  private static final int QUEUE = 16;

  private final HTTPServer server;

  MetricsServer(
      PrometheusRegistry registry,
      StoreServiceDescriptor service,
      ServerSettings settings,
      Environment environment) {
    int port =
        environment.getRequiredProperty(service.prefix() + ".management-port", Integer.class);
    try {
      server =
          HTTPServer.builder()
              .hostname(settings.managementListen())
              .port(port)
              .registry(registry)
              .metricsHandlerPath(PATH)
              .authenticator(new HostCheck(settings.allowedManagementHosts(service)))
              .executorService(threads())
              .registerHealthHandler(false)
              .defaultHandler(it -> {
                it.sendResponseHeaders(404, -1);
                it.close();
              })
              .buildAndStart();
    } catch (BindException e) {
      throw new StartupException(format("port %d is already in use; choose another port", port), e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// A connection for which the queue has no room is closed.
  private static ExecutorService threads() {
    return new ThreadPoolExecutor(
        THREADS,
        THREADS,
        0,
        TimeUnit.SECONDS,
        new ArrayBlockingQueue<>(QUEUE),
        Thread.ofPlatform().daemon().name("metrics-", 0).factory());
  }

  int port() {
    return server.getPort();
  }

  @Override
  public void close() {
    server.close();
  }

  private static final class HostCheck extends Authenticator {
    private static final HttpPrincipal ANYBODY = new HttpPrincipal("anybody", "");

    private final AllowedHosts hosts;

    HostCheck(AllowedHosts hosts) {
      this.hosts = hosts;
    }

    @Override
    public Result authenticate(HttpExchange exchange) {
      String host = exchange.getRequestHeaders().getFirst("Host");
      return host == null || hosts.accepts(host.replaceFirst(":\\d*$", ""))
          ? new Success(ANYBODY)
          : new Failure(421);
    }
  }
}
