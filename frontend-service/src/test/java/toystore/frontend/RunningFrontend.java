package toystore.frontend;

import static toystore.common.RootLocale.format;

import io.grpc.Server;
import io.grpc.ServerBuilder;
import io.grpc.ServerInterceptors;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.protobuf.services.HealthStatusManager;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import toystore.platform.rpc.EnvelopeInterceptor;
import toystore.platform.service.AdministratorInterceptor;
import toystore.platform.service.AdministratorToken;
import toystore.platform.service.CallOrigin;
import toystore.platform.service.ServiceProcess;
import toystore.platform.service.SharedSettings;

/// A frontend on a real port, with fake backend services on real gRPC servers. All tests share one
/// instance.
public final class RunningFrontend {
  public static final String TOKEN = "a-token-for-tests";
  static final RunningFrontend OPEN = new RunningFrontend();

  public final FakeCatalogRpc catalog = new FakeCatalogRpc();
  public final FakeOrderRpc orders = new FakeOrderRpc(catalog);
  public final FakeMarketplaceServices market = new FakeMarketplaceServices();
  public final FakeExchangeRpc exchange = new FakeExchangeRpc();
  public final FakeAuditRpc catalogAudit = new FakeAuditRpc("stock");
  public final FakeAuditRpc orderAudit = new FakeAuditRpc("book");
  public final HealthStatusManager catalogHealth = new HealthStatusManager();
  public final ConfigurableApplicationContext frontend;
  public final int port;
  public final int managementPort;

  private final HttpClient http = HttpClient.newHttpClient();
  private final List<String> settings;

  private RunningFrontend() {
    var catalogServer =
        start(
            ServerBuilder.forPort(0)
                .addService(catalog)
                .addService(catalogAudit)
                .addService(ServerInterceptors.intercept(market.items(), administratorOnly()))
                .addService(
                    ServerInterceptors.intercept(
                        new FakeCatalogAdminRpc(catalog), new CallOrigin(), administratorOnly()))
                .addService(catalogHealth.getHealthService()));
    var orderServices =
        ServerBuilder.forPort(0)
            .addService(orders)
            .addService(orderAudit)
            .addService(new HealthStatusManager().getHealthService());
    market
        .orders()
        .forEach(
            it -> orderServices.addService(ServerInterceptors.intercept(it, administratorOnly())));
    var orderServer = start(orderServices);
    var accountServer =
        start(
            ServerBuilder.forPort(0)
                .addService(ServerInterceptors.intercept(market.accounts(), administratorOnly()))
                .addService(new FakeAuditRpc("accounts"))
                .addService(new HealthStatusManager().getHealthService()));
    var exchangeServer =
        start(
            ServerBuilder.forPort(0)
                .addService(exchange.service())
                .addService(new FakeAuditRpc("cash and shares"))
                .addService(new HealthStatusManager().getHealthService()));
    settings =
        List.of(
            "--toystore.admin-token=" + TOKEN,
            "--toystore.frontend.catalog-target=static://127.0.0.1:" + catalogServer.getPort(),
            "--toystore.frontend.order-target=static://127.0.0.1:" + orderServer.getPort(),
            "--toystore.frontend.account-target=static://127.0.0.1:" + accountServer.getPort(),
            "--toystore.frontend.exchange-target=static://127.0.0.1:" + exchangeServer.getPort(),
            "--server.tomcat.connection-timeout=1s",
            "--logging.level.toystore.frontend.audit=off", // tests make audits fail
            "--toystore.frontend.audit-interval=0");
    frontend = another();
    port = port(frontend, "local.server.port");
    managementPort = port(frontend, "local.management.port");
  }

  public static RunningFrontend open() {
    OPEN.catalog.reset();
    OPEN.orders.reset();
    OPEN.market.reset();
    OPEN.exchange.reset();
    OPEN.catalogAudit.setResult(true);
    OPEN.orderAudit.setResult(true);
    OPEN.catalogHealth.setStatus("", ServingStatus.SERVING);
    return OPEN;
  }

  /// Starts one more frontend of the same services.
  public ConfigurableApplicationContext another(String... more) {
    return frontend(Stream.concat(settings.stream(), Stream.of(more)).toArray(String[]::new));
  }

  /// Starts a separate frontend.
  public static ConfigurableApplicationContext frontend(String... args) {
    return frontend(_ -> {}, args);
  }

  /// @param beans registers some that are used in place of the frontend's own
  public static ConfigurableApplicationContext frontend(
      ApplicationContextInitializer<?> beans, String... args) {
    var all = new ArrayList<>(List.of(args));
    for (String port :
        List.of("--toystore.frontend.port=", "--toystore.frontend.management-port=")) {
      if (all.stream().noneMatch(arg -> arg.startsWith(port))) {
        all.add(port + 0);
      }
    }
    if (all.stream().noneMatch(arg -> arg.startsWith("--toystore.data="))) {
      all.add("--toystore.data=" + temporaryFolder());
    }
    return ServiceProcess.startBeside(
        FrontendApplication.class, "frontend-service", FrontendSettings.class, all, true, beans);
  }

  private static AdministratorInterceptor administratorOnly() {
    var settings = new SharedSettings(Path.of("unused"), false, TOKEN, null);
    return new AdministratorInterceptor(new AdministratorToken(settings));
  }

  private static Path temporaryFolder() {
    try {
      Path folder = Files.createTempDirectory("toystore-frontend-test");
      folder.toFile().deleteOnExit();
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static int port(ConfigurableApplicationContext frontend, String name) {
    return frontend.getEnvironment().getRequiredProperty(name, Integer.class);
  }

  /// All routes of a frontend, such as `GET /products/{name}`.
  public static Stream<String> routes(ConfigurableApplicationContext frontend) {
    return frontend
        .getBean("requestMappingHandlerMapping", RequestMappingHandlerMapping.class)
        .getHandlerMethods()
        .keySet()
        .stream()
        .flatMap(mapping ->
            mapping.getPatternValues().stream()
                .flatMap(path ->
                    mapping.getMethodsCondition().getMethods().stream()
                        .map(method -> method + " " + path)));
  }

  /// An HTTP response.
  public record Reply(int status, String body) {}

  public Reply get(String path) {
    return reply(send("GET", path, ""));
  }

  public Reply post(String path, String body, String... headers) {
    return reply(send("POST", path, body, headers));
  }

  public Reply asAdministrator(String method, String path, String body, String... headers) {
    var all = new ArrayList<>(List.of(headers));
    all.addAll(List.of("Authorization", "Bearer " + TOKEN));
    return reply(send(method, path, body, all.toArray(String[]::new)));
  }

  public HttpResponse<String> send(String method, String path, String body, String... headers) {
    return sendTo(port, method, path, body, headers);
  }

  public HttpResponse<String> getManagement(String path) {
    return sendTo(managementPort, "GET", path, "");
  }

  public HttpResponse<String> sendTo(
      int toPort, String method, String path, String body, String... headers) {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + toPort + path))
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      return http.send(request.build(), BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static Reply reply(HttpResponse<String> response) {
    return new Reply(response.statusCode(), response.body());
  }

  public static Reply data(int status, String data) {
    return new Reply(status, "{\"data\":" + data + "}");
  }

  public static Reply error(int code, String reason, String message) {
    return new Reply(
        code,
        format(
            "{\"error\":{\"code\":%d,\"message\":\"%s\",\"reason\":\"%s\"}}",
            code, message, reason));
  }

  private static Server start(ServerBuilder<?> builder) {
    try {
      return builder.intercept(new EnvelopeInterceptor()).build().start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
