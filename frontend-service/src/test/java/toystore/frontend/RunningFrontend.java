package toystore.frontend;

import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import tools.jackson.databind.JsonNode;
import toystore.catalog.v1.CatalogAdminServiceGrpc;
import toystore.catalog.v1.ImportProductsRequest;
import toystore.clients.MarketplaceClient;
import toystore.clients.StoreHttpClient;
import toystore.platform.service.AdministratorToken;
import toystore.platform.service.CallLimits;
import toystore.platform.service.PeerChannel;
import toystore.platform.service.ServiceProcess;
import toystore.platform.service.StoreServiceDescriptor;

/// A frontend on a real port, and the real services. All tests share one instance: its products,
/// orders and users are not the first.
public class RunningFrontend {
  public static final String TOKEN = "a-token-for-tests";

  /// Long: speed is not tested, and CI machines are busy.
  public static final Duration DEADLINE = Duration.ofSeconds(20);

  private static final CallLimits WITHOUT_CIRCUIT_BREAKER =
      new CallLimits(500, 10_000, 100, Duration.ofSeconds(1), 3, Duration.ofMillis(20));

  public final GrpcFaults faults = new GrpcFaults();
  public final ConfigurableApplicationContext frontend;
  public final int port;
  public final int managementPort;

  private final HttpClient http = HttpClient.newHttpClient();
  private final List<String> settings;
  private final AtomicInteger products = new AtomicInteger();
  private final AtomicInteger users = new AtomicInteger();
  private @Nullable ExchangeTrades trades;

  /// @param targets settings with the addresses of the services
  RunningFrontend(List<String> targets) {
    settings =
        Stream.concat(
                Stream.of(
                    "--toystore.admin-token=" + TOKEN,
                    "--toystore.deadline=" + DEADLINE.toSeconds() + "s",
                    "--server.tomcat.connection-timeout=1s",
                    "--logging.level.toystore.frontend.audit=off", // tests make audits fail
                    "--toystore.frontend.audit-interval=0"),
                targets.stream())
            .toList();
    frontend = another();
    port = port(frontend, "local.server.port");
    managementPort = port(frontend, "local.management.port");
  }

  private static final class Shared {
    static final RunningFrontend OPEN = onServices();
  }

  private static RunningFrontend onServices() {
    var services =
        new RunningServices(
            temporaryFolder(),
            "--toystore.admin-token=" + TOKEN,
            "--toystore.deadline=" + DEADLINE.toSeconds() + "s",
            "--toystore.account.bcrypt-strength=4");
    var shop =
        new RunningFrontend(services.targets(StoreServiceDescriptor.of(FrontendApplication.NAME)));
    for (String toy : List.of("Tux", "Whale")) { // for all tests that buy one
      shop.asAdministrator("POST", "/products/" + toy + "/restock", "{\"quantity\":1000000}");
    }
    return shop;
  }

  /// The instance that tests share, without faults.
  public static RunningFrontend open() {
    Shared.OPEN.faults.reset();
    return Shared.OPEN;
  }

  /// Starts one more frontend of the same services.
  ///
  /// @param more settings, also in place of those with the same name
  public ConfigurableApplicationContext another(String... more) {
    return another(_ -> {}, more);
  }

  /// @param beans registers some that are used in place of the frontend's own
  public ConfigurableApplicationContext another(
      ApplicationContextInitializer<ConfigurableApplicationContext> beans, String... more) {
    Stream<String> others =
        settings.stream().filter(it -> Stream.of(more).noneMatch(is -> name(is).equals(name(it))));
    return frontend(
        context -> {
          context.getBeanFactory().registerSingleton("grpcFaults", faults);
          context.getBeanFactory().registerSingleton("testLimits", WITHOUT_CIRCUIT_BREAKER);
          beans.initialize(context);
        },
        Stream.concat(others, Stream.of(more)).toArray(String[]::new));
  }

  private static String name(String setting) {
    return setting.substring(0, setting.indexOf('='));
  }

  /// Puts a product on sale whose name no other test uses, and returns the name.
  public String newProduct(String price, int quantity, String category) {
    String name = "Kašpárek & " + products.incrementAndGet() + " 🧸";
    String product =
        format(
            "{\"name\":\"%s\",\"price\":%s,\"quantity\":%d,\"category\":\"%s\"}",
            name, price, quantity, category);
    Reply added = asAdministrator("POST", "/products", product);
    if (added.status() != 201) {
      throw new AssertionError(added);
    }
    return name;
  }

  /// Puts a stock on sale whose name no other test uses, and returns the name.
  public String newStock(String price, int quantity, long maxVolume) {
    String name = "Böse" + products.incrementAndGet() + "Co";
    var catalog = frontend.getBean("catalogChannel", PeerChannel.class);
    var stock =
        format(
            "name,price,quantity,category,max_volume\n%s,%s,%d,Stocks,%d",
            name, price, quantity, maxVolume);
    var _ =
        CatalogAdminServiceGrpc.newBlockingStub(catalog.channel())
            .withInterceptors(frontend.getBean(AdministratorToken.class).clientInterceptor())
            .importProducts(ImportProductsRequest.newBuilder().setCsv(stock).build());
    return name;
  }

  /// Encodes a text for a path, a query or a form.
  public static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /// Returns the token of a new buyer.
  public String newBuyer() {
    return MarketplaceClient.buyer(client(), newUser()).register().token();
  }

  /// Returns the token of a new seller.
  public String newSeller() {
    return MarketplaceClient.seller(client(), newUser()).register().token();
  }

  /// The trades of all tests.
  public synchronized ExchangeTrades trades() {
    if (trades == null) {
      trades =
          new ExchangeTrades(
              frontend.getBean("exchangeChannel", PeerChannel.class),
              frontend.getBean(AdministratorToken.class));
    }
    return trades;
  }

  private StoreHttpClient client() {
    return new StoreHttpClient(port, managementPort);
  }

  private String newUser() {
    return "Žofie-Ψ-" + users.incrementAndGet();
  }

  /// Starts a separate frontend.
  public static ConfigurableApplicationContext frontend(String... args) {
    return frontend(_ -> {}, args);
  }

  private static ConfigurableApplicationContext frontend(
      ApplicationContextInitializer<ConfigurableApplicationContext> beans, String... args) {
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
        FrontendApplication.class, "frontend-service", FrontendSettings.class, all, beans);
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

  public Reply product(String name) {
    return get("/products/" + encoded(name));
  }

  /// An HTTP response.
  public record Reply(int status, String body) {
    public JsonNode json() {
      return OpenApi.json(body);
    }
  }

  public Reply get(String path) {
    return reply(send("GET", path, ""));
  }

  public Reply post(String path, String body, String... headers) {
    return reply(send("POST", path, body, headers));
  }

  public Reply asAdministrator(String method, String path, String body, String... headers) {
    return as(TOKEN, method, path, body, headers);
  }

  /// Sends a request with the token of a user.
  public Reply as(String token, String method, String path, String body, String... headers) {
    var all = new ArrayList<>(List.of(headers));
    all.addAll(List.of("Authorization", "Bearer " + token));
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
}
