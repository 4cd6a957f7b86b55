package toystore.platform.service;

import static toystore.common.RootLocale.format;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandlers;
import com.sun.net.httpserver.HttpServer;
import io.prometheus.metrics.exporter.httpserver.MetricsHandler;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.springframework.core.env.Environment;

/// The port of a gRPC service's process for `GET /actuator/prometheus`. Requests for another host
/// are answered with 421, other paths with 404.
final class MetricsServer implements AutoCloseable {
  private static final String PATH = "/actuator/prometheus";
  private static final int THREADS = 2;
  private static final int QUEUE = 16;

  static {
    // seconds for a client that sends or reads slowly, as in Prometheus' own server
    System.getProperties().putIfAbsent("sun.net.httpserver.maxReqTime", "60");
    System.getProperties().putIfAbsent("sun.net.httpserver.maxRspTime", "600");
  }

  private final HttpServer server;
  private final AllowedHosts hosts;
  private final MetricsHandler metrics;

  /// A connection for which the queue has no room is closed.
  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          THREADS,
          THREADS,
          0,
          TimeUnit.SECONDS,
          new ArrayBlockingQueue<>(QUEUE),
          Thread.ofPlatform().daemon().name("metrics-", 0).factory());

  MetricsServer(
      PrometheusRegistry registry,
      StoreServiceDescriptor service,
      ServerSettings settings,
      Environment environment) {
    int port =
        environment.getRequiredProperty(service.prefix() + ".management-port", Integer.class);
    hosts = settings.allowedManagementHosts(service);
    metrics = new MetricsHandler(registry);
    try {
      server = HttpServer.create(new InetSocketAddress(settings.managementListen(), port), 0);
    } catch (BindException e) {
      throw new StartupException(format("port %d is already in use; choose another port", port), e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  private void answer(HttpExchange exchange) throws IOException {
    String host = exchange.getRequestHeaders().getFirst("Host");
    String path = exchange.getRequestURI().getPath();
    if (host != null && !hosts.accepts(host.replaceFirst(":\\d*$", ""))) {
      refuse(exchange, 421, hosts.refusal(host));
    } else if (!path.equals(PATH) && !path.equals(PATH + "/")) {
      refuse(exchange, 404, format("path must be %s, got \"%s\"", PATH, path));
    } else {
      metrics.handle(exchange);
    }
  }

  private static void refuse(HttpExchange exchange, int status, String message) throws IOException {
    var headers = Headers.of("Content-Type", "text/plain; charset=utf-8");
    HttpHandlers.of(status, headers, message + "\n").handle(exchange);
  }

  int port() {
    return server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
