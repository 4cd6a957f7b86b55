package toystore.e2e;

import static toystore.clients.Conditions.await;
import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import toystore.catalog.CatalogApplication;
import toystore.clients.StoreHttpClient;
import toystore.frontend.FrontendApplication;
import toystore.order.OrderApplication;
import toystore.platform.service.ServiceProcess;
import toystore.store.StoreApplication;

/// A ready store in this JVM, on free ports by default.
public record StoreFixture(Path folder, StoreApplication store, StoreHttpClient http)
    implements AutoCloseable {
  static StoreFixture in(Path folder, String... settings) throws IOException {
    StoreFixture running = starting(folder, settings);
    await(running.http::isReady);
    return running;
  }

  /// A started store that may never be ready.
  public static StoreFixture starting(Path folder, String... settings) {
    List<String> args = new ArrayList<>(List.of(settings));
    for (String usual :
        List.of(
            "--toystore.data=" + folder,
            "--toystore.deadline=20s", // speed is not tested, and CI machines are busy
            "--toystore.frontend.port=0",
            "--toystore.frontend.management-port=0",
            "--toystore.catalog.port=0",
            "--toystore.order.port=0",
            "--toystore.account.port=0",
            "--toystore.payment.port=0",
            "--toystore.exchange.port=0",
            "--toystore.exchange.xml-port=0")) {
      String name = usual.substring(0, usual.indexOf('=') + 1);
      if (args.stream().noneMatch(it -> it.startsWith(name))) {
        args.add(usual);
      }
    }
    StoreApplication store = StoreApplication.start(args.toArray(String[]::new));
    var http =
        new StoreHttpClient(store.port("local.server.port"), store.port("local.management.port"));
    return new StoreFixture(folder, store, http);
  }

  /// A frontend of its own in this JVM, on free ports.
  public static ConfigurableApplicationContext startFrontend(String... settings) {
    List<String> args = new ArrayList<>(List.of(settings));
    args.add("--toystore.frontend.port=0");
    args.add("--toystore.frontend.management-port=0");
    return ServiceProcess.startBeside(
        FrontendApplication.class, FrontendApplication.NAME, FrontendApplication.SETTINGS, args);
  }

  /// A catalog of its own in this JVM.
  static ConfigurableApplicationContext startCatalog(List<String> settings) {
    return ServiceProcess.startBeside(
        CatalogApplication.class, CatalogApplication.NAME, CatalogApplication.SETTINGS, settings);
  }

  /// An order service of its own in this JVM, without a marketplace.
  static ConfigurableApplicationContext startOrderService(List<String> settings) {
    List<String> args = new ArrayList<>(settings);
    args.add("--toystore.order.account-target=");
    args.add("--toystore.order.payment-target=");
    return ServiceProcess.startBeside(
        OrderApplication.class, OrderApplication.NAME, OrderApplication.SETTINGS, args);
  }

  /// A client of a frontend.
  static StoreHttpClient http(ConfigurableApplicationContext frontend) {
    var ports = frontend.getEnvironment();
    return new StoreHttpClient(
        ports.getRequiredProperty("local.server.port", Integer.class),
        ports.getRequiredProperty("local.management.port", Integer.class));
  }

  /// An environment with the user of the tests' databases.
  static Environment databaseUser() {
    var environment = new StandardEnvironment();
    environment
        .getPropertySources()
        .addFirst(new MapPropertySource("user", Map.of("toystore.database-user", "postgres")));
    return environment;
  }

  StoreHttpClient.Reply buy(String name, String... headers) throws IOException {
    return http.post("/orders", format("{\"name\":\"%s\",\"quantity\":1}", name), headers);
  }

  StoreHttpClient.Reply postAsAdministrator(String path, String body) throws IOException {
    return asAdministrator("POST", path, body);
  }

  StoreHttpClient.Reply asAdministrator(String method, String path, String body)
      throws IOException {
    return http.send(method, path, body, "Authorization", "Bearer " + administratorsToken());
  }

  String administratorsToken() throws IOException {
    return Files.readString(folder.resolve("admin-token")).strip();
  }

  /// Damages the catalog's sales and reads an order, which the catalog then fails with 500.
  StoreHttpClient.Reply failingRequest(String... headers) throws IOException {
    overwrite(folder.resolve("catalog/catalog.db"), 4096);
    overwrite(folder.resolve("catalog/catalog.db-wal"), 32);
    return http.get("/orders/999", headers);
  }

  private static void overwrite(Path path, int head) throws IOException {
    try (var file = new RandomAccessFile(path.toFile(), "rw")) {
      file.seek(head);
      file.write(new byte[(int) Math.max(0, file.length() - head)]);
    }
  }

  @Override
  public void close() {
    store.close();
  }
}
