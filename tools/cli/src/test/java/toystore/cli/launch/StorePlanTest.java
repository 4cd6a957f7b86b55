package toystore.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import toystore.cli.command.CommandRefusal;

public final class StorePlanTest {
  public static final Services SERVICES = services();
  private static final Path DATA = Path.of("/toys/data");
  private static final Path CATALOG = Path.of("/toys/first.csv");

  @Test
  void separateProcessesGetTheirPortsAndPeerAddresses() {
    var plan =
        new StorePlan(
            SERVICES,
            new StoreLayout(false, 1, false, new PortPlan(8180), "0.0.0.0"),
            null,
            DATA,
            CATALOG,
            List.of());
    assertThat(plan.parts())
        .extracting(ProcessSpec::arguments)
        .containsExactly(
            arguments(
                "catalog-service",
                "--toystore.catalog.port=9191",
                "--toystore.catalog.management-port=9181",
                "--toystore.catalog.file=/toys/first.csv"),
            arguments(
                "account-service",
                "--toystore.account.port=9193",
                "--toystore.account.management-port=9183"),
            arguments(
                "payment-service",
                "--toystore.payment.port=9195",
                "--toystore.payment.management-port=9185"),
            arguments(
                "exchange-service",
                "--toystore.exchange.port=9194",
                "--toystore.exchange.xml-port=12445",
                "--toystore.exchange.management-port=9184",
                "--toystore.exchange.account-target=static://127.0.0.1:9193"),
            arguments(
                "order-service",
                "--toystore.order.port=9192",
                "--toystore.order.management-port=9182",
                "--toystore.order.catalog-target=static://127.0.0.1:9191",
                "--toystore.order.account-target=static://127.0.0.1:9193",
                "--toystore.order.payment-target=static://127.0.0.1:9195"),
            arguments(
                "frontend-service",
                "--toystore.frontend.port=8180",
                "--toystore.frontend.management-port=8181",
                "--toystore.frontend.listen=0.0.0.0",
                "--toystore.frontend.catalog-target=static://127.0.0.1:9191",
                "--toystore.frontend.account-target=static://127.0.0.1:9193",
                "--toystore.frontend.exchange-target=static://127.0.0.1:9194",
                "--toystore.frontend.order-target=static://127.0.0.1:9192"));
  }

  @Test
  void portsInTheSystemsRangeOfOutgoingOnesAreNamed(@TempDir Path folder) throws IOException {
    var range = Files.writeString(folder.resolve("range"), "32768\t60999\n");

    assertThat(plan(StoreLayout.together(28_482)).outgoingPorts(range)).isEmpty();
    assertThat(plan(StoreLayout.together(28_503)).outgoingPorts(range))
        .hasValue(
            "port 32768 and others are in the system's range of outgoing ports, 32768 to 60999: a start fails if a connection uses one; choose a --port up to 28482");
    assertThat(plan(StoreLayout.together(32_100)).outgoingPorts(range)).isPresent();
    assertThat(plan(StoreLayout.together(32_100)).outgoingPorts(folder.resolve("none"))).isEmpty();
  }

  @Test
  void singleProcessGetsPortsOnly() {
    var parts =
        plan(new StoreLayout(true, 1, false, new PortPlan(8080), "127.0.0.1"), null, "--server.x=1")
            .parts();
    assertThat(parts)
        .extracting(ProcessSpec::arguments)
        .containsExactly(
            arguments(
                "store",
                "--toystore.catalog.port=9091",
                "--toystore.account.port=9093",
                "--toystore.payment.port=9095",
                "--toystore.exchange.port=9094",
                "--toystore.exchange.xml-port=12345",
                "--toystore.order.port=9092",
                "--toystore.frontend.port=8080",
                "--toystore.frontend.management-port=8081",
                "--toystore.frontend.listen=127.0.0.1",
                "--server.x=1"));
    assertThat(parts.getFirst().services())
        .extracting(service -> service.name() + ": " + service.describePorts())
        .containsExactly(
            "catalog-service: gRPC 9091",
            "account-service: gRPC 9093",
            "payment-service: gRPC 9095",
            "exchange-service: gRPC 9094, XML 12345",
            "order-service: gRPC 9092",
            "frontend-service: HTTP 8080, management 8081");
  }

  @Test
  void furtherFrontendsGetTheFollowingPortsAndTheirOwnLogs() {
    var plan = plan(new StoreLayout(false, 3, false, new PortPlan(8180), "127.0.0.1"));
    var frontends = plan.parts().subList(5, 8);
    assertThat(frontends).extracting(ProcessSpec::app).containsOnly("frontend-service");
    assertThat(frontends)
        .flatExtracting(ProcessSpec::services)
        .extracting(service -> service.name() + ": " + service.describePorts())
        .containsExactly(
            "frontend-service: HTTP 8180, management 8181",
            "frontend-service-2: HTTP 8182, management 8183",
            "frontend-service-3: HTTP 8184, management 8185");
    assertThat(plan.parts().stream().filter(part -> !part.late()).map(ProcessSpec::name))
        .containsExactly("catalog-service", "order-service", "frontend-service");
    assertThat(frontends).extracting(ProcessSpec::managementPort).containsExactly(8181, 8183, 8185);
    assertThat(frontends.getLast().arguments())
        .contains(
            "--logging.file.name=/toys/data/log/frontend-service-3.log",
            "--toystore.frontend.port=8184",
            "--toystore.frontend.management-port=8185",
            "--toystore.frontend.order-target=static://127.0.0.1:9192");
    assertThat(new JavaCommandLine(Path.of("/toys"), List.of()).command(frontends.getLast(), DATA))
        .contains(
            "@/toys/target/app/frontend-service.options",
            "-Djava.io.tmpdir=/toys/data/tmp",
            "-XX:ErrorFile=/toys/data/log/frontend-service-3-crash-%p.log");
  }

  @Test
  void standbysHavePortsOfTheirOwnAndCallersKnowBothAddresses() {
    var plan =
        plan(
            new StoreLayout(false, 2, true, new PortPlan(8180), "127.0.0.1"),
            "jdbc:postgresql://db/toys");
    assertThat(plan.parts())
        .flatExtracting(ProcessSpec::services)
        .extracting(service -> service.name() + ": " + service.describePorts())
        .startsWith(
            "catalog-service: gRPC 9191, management 9181",
            "catalog-service-2: gRPC 9211, management 9201")
        .contains("exchange-service-2: gRPC 9214, XML 12465, management 9204")
        .endsWith(
            "frontend-service: HTTP 8180, management 8181",
            "frontend-service-2: HTTP 8182, management 8183")
        .hasSize(12);
    assertThat(plan.parts().stream().filter(part -> !part.late()).map(ProcessSpec::name))
        .containsExactly("catalog-service", "order-service", "frontend-service");
    var standby =
        plan.parts().stream().filter(part -> part.name().equals("order-service-2")).findFirst();
    assertThat(standby.orElseThrow().arguments())
        .contains(
            "--logging.file.name=/toys/data/log/order-service-2.log",
            "--toystore.order.port=9212",
            "--toystore.database=jdbc:postgresql://db/toys",
            "--toystore.order.catalog-target=static://127.0.0.1:9191,127.0.0.1:9211");
    assertThat(plan.parts().getLast().arguments())
        .contains("--toystore.frontend.order-target=static://127.0.0.1:9192,127.0.0.1:9212")
        .noneMatch(argument -> argument.contains("database"));
  }

  @Test
  void standbyHasAPortOfItsOwnForEachFurtherProtocol() {
    var plan =
        plan(
            new StoreLayout(false, 1, true, new PortPlan(8180), "127.0.0.1"),
            "jdbc:postgresql://db/toys",
            "--toystore.catalog.line-port=7000",
            "--toystore.order.line-port=0");
    assertThat(plan.parts().stream().filter(it -> it.app().equals("catalog-service")))
        .extracting(it -> it.arguments().subList(it.arguments().size() - 2, it.arguments().size()))
        .containsExactly(
            List.of("--toystore.catalog.line-port=7000", "--toystore.order.line-port=0"),
            List.of("--toystore.catalog.line-port=7020", "--toystore.order.line-port=0"));
  }

  @Test
  void databasesAreNamedWithoutParametersAndSecrets() {
    var layout = new StoreLayout(false, 1, true, new PortPlan(8180), "127.0.0.1");
    var settings = "--toystore.database=jdbc:postgresql://ann:secr@t@a:1,b:2/toys?password=s";
    var environment = Map.of("TOYSTORE_DATABASE", "jdbc:postgresql://c/toys?ssl=true");
    assertThat(plan(layout, null, settings).databases(environment))
        .hasSize(5)
        .allSatisfy((_, place) -> assertThat(place).isEqualTo("jdbc:postgresql://a:1,b:2/toys"));
    assertThat(plan(layout, "jdbc:postgresql://d/x?a").databases(environment))
        .allSatisfy((_, place) -> assertThat(place).isEqualTo("jdbc:postgresql://d/x"));
    var plan = plan(layout, null);
    assertThat(plan.databases(environment))
        .allSatisfy((_, place) -> assertThat(place).isEqualTo("jdbc:postgresql://c/toys"));
    assertThat(plan.databases(Map.of()))
        .isEqualTo(
            Map.of(
                "catalog-service", "/toys/data/catalog/catalog.db",
                "order-service", "/toys/data/order/order.db",
                "account-service", "/toys/data/account/account.db",
                "payment-service", "/toys/data/payment/payment.db",
                "exchange-service", "/toys/data/exchange/exchange.db"));
  }

  @Test
  void commandLineContainsTheNamesOfItsServices() {
    var plan = plan(new StoreLayout(true, 1, false, new PortPlan(8080), "127.0.0.1"));
    var command =
        new JavaCommandLine(Path.of("/no where"), List.of("-Xint"))
            .command(plan.parts().getFirst(), DATA);
    assertThat(command)
        .contains(
            "-Xmx256m",
            "-Xint",
            "-Dservices=catalog-service,account-service,payment-service,exchange-service,order-service,frontend-service",
            "@/no where/target/app/store.options");
  }

  @Test
  void busyPortNamesThePortAndTheServiceThatNeedsIt() throws IOException {
    try (var busy = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var port = busy.getLocalPort();
      var plan = plan(new StoreLayout(false, 1, false, new PortPlan(port - 1011), "127.0.0.1"));
      assertThat(plan.busyPort(InetAddress.getLoopbackAddress()))
          .contains(
              format(
                  "port %d is already in use; catalog-service needs it for gRPC (to use other"
                      + " ports: --port N)",
                  port));
    }
  }

  @Test
  void frontendPortIsRefusedWhenAnotherPortWouldExceed65535() {
    assertThatExceptionOfType(CommandRefusal.class)
        .isThrownBy(() -> new PortPlan(61_251))
        .withMessage("--port must be from 1025 to 61250; got 61251");
  }

  /// compose publishes the frontend with the variable TOYSTORE_LISTEN, and arguments prevail over
  /// variables.
  @Test
  void onlyASettingOfUpOpensThePortsForOtherServicesToTheNetwork() {
    var layout = new StoreLayout(false, 1, false, new PortPlan(8080), "0.0.0.0");
    var plan = plan(layout, null, "--toystore.listen=::1");
    assertThat(plan(layout).parts())
        .allMatch(it -> it.arguments().contains("--toystore.listen=127.0.0.1"));
    assertThat(plan.parts())
        .allMatch(it -> it.arguments().contains("--toystore.listen=::1"))
        .noneMatch(it -> it.arguments().contains("--toystore.listen=127.0.0.1"));
    assertThat(plan.parts().getLast().arguments()).contains("--toystore.frontend.listen=0.0.0.0");
  }

  @Test
  void refusesSettingsThatUpSets() {
    var layout = new StoreLayout(false, 1, false, new PortPlan(8080), "127.0.0.1");
    var plan = plan(layout, null, "--toystore.catalog.port=1");
    assertThatExceptionOfType(CommandRefusal.class)
        .isThrownBy(plan::parts)
        .withMessageStartingWith("toystore.catalog.port cannot be set: ./toystore up derives it");
    assertThatExceptionOfType(CommandRefusal.class)
        .isThrownBy(plan(layout, null, "--spring.grpc.server.ssl.bundle=store")::parts)
        .withMessageContaining("TLS is for services on several hosts");
  }

  /// The arguments that every program gets, and its own.
  private static List<String> arguments(String program, String... own) {
    return Stream.concat(
            Stream.of(
                "--toystore.data=/toys/data",
                "--toystore.supervised=true",
                "--logging.file.name=/toys/data/log/" + program + ".log",
                "--logging.threshold.console=off",
                "--toystore.listen=127.0.0.1"),
            Stream.of(own))
        .toList();
  }

  private static StorePlan plan(StoreLayout layout) {
    return plan(layout, null);
  }

  private static StorePlan plan(StoreLayout layout, @Nullable String database, String... settings) {
    return new StorePlan(SERVICES, layout, database, DATA, null, List.of(settings));
  }

  private static Services services() {
    try {
      return Services.of(Path.of("../.."));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
