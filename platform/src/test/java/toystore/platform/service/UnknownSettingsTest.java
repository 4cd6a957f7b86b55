package toystore.platform.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import toystore.platform.service.StoreServiceDescriptor.Protocol;

class UnknownSettingsTest {
  record Settings(int port, int linePort) {}

  private static final StoreServiceDescriptor CATALOG =
      new StoreServiceDescriptor(
          "catalog-service",
          "catalog",
          Protocol.GRPC,
          9091,
          9081,
          List.of("account"),
          true,
          128,
          false,
          Map.of());

  private final UnknownSettings unknown =
      new UnknownSettings(
          CATALOG,
          List.of(
              SharedSettings.class, DatabaseSettings.class, ServerSettings.class, Settings.class));

  @Test
  void knownSettingIsAcceptedInAnySpelling() {
    assertThat(
            check(
                Map.of(
                    "toystore.data", "x",
                    "toystore.admin-token", "x",
                    "toystore.catalog.line-port", "1",
                    "toystore.catalog.linePort", "1",
                    "spring.anything", "x")))
        .isEmpty();
  }

  @Test
  void unknownSettingAbortsStartupAndIsNamed() {
    assertThatThrownBy(() -> check(Map.of("toystore.catalog.prot", "1")))
        .isInstanceOf(StartupException.class)
        .hasMessage(
            "unknown setting toystore.catalog.prot; known settings are toystore.admin-token, toystore.admin-token-file,"
                + " toystore.batch, toystore.catalog.line-port, toystore.catalog.port, toystore.data,"
                + " toystore.database, toystore.hosts, toystore.listen, toystore.management-listen,"
                + " toystore.queue, toystore.readers, toystore.services, toystore.supervised");
    assertThatThrownBy(() -> check(Map.of("toystore.catalgo.port", "1")))
        .hasMessageStartingWith("unknown setting toystore.catalgo.port; ");
  }

  @Test
  void settingOfAnotherServiceIsIgnored() {
    assertThat(
            check(
                Map.of(
                    "toystore.services", "catalog,order",
                    "toystore.order.whatever", "1",
                    "toystore.account.whatever", "1")))
        .isEmpty();
    assertThatThrownBy(() -> check(Map.of("toystore.order.whatever", "1")))
        .as("no other service checks this setting")
        .hasMessageStartingWith("unknown setting toystore.order.whatever; ");
  }

  @Test
  void unknownEnvironmentVariableIsAWarning() {
    assertThat(
            variables(
                Map.of(
                    "TOYSTORE_ADMIN_TOKEN", "x",
                    "TOYSTORE_CATALOG_LINE_PORT", "1",
                    "TOYSTORE_HOSTS_0", "shop.example",
                    "TOYSTORE_CATALOG_SPEED", "1",
                    "PATH", "x")))
        .containsExactly("TOYSTORE_CATALOG_SPEED");
  }

  @ParameterizedTest
  @CsvSource({
    "TOYSTORE_DATABSE, TOYSTORE_DATABASE", // one letter less
    "TOYSTORE_CATALOG_PROT, TOYSTORE_CATALOG_PORT", // two letters swapped
    "TOYSTORE_CATALGO_PORT, TOYSTORE_CATALOG_PORT",
    "TOYSTORE_DATABASE_U, TOYSTORE_DATABASE",
    "TOYSTORE_ADMIN_TOKENS, TOYSTORE_ADMIN_TOKEN",
    "TOYSTORE_HOTS_0, TOYSTORE_HOSTS",
    "toystore_databaß, TOYSTORE_DATABASE"
  })
  void environmentVariableAtMostTwoLettersFromAKnownOneAbortsStartup(String wrong, String right) {
    assertThatThrownBy(() -> variables(Map.of(wrong, "x")))
        .isInstanceOf(StartupException.class)
        .hasMessage(
            "unknown environment variable %s; if it is %s, correct it, otherwise unset it",
            wrong, right);
  }

  /// Variables of the compose files and scripts, and those that Kubernetes sets in each pod for a
  /// Service `toystore-catalog`.
  @Test
  void variablesOfOtherProgramsAreWarnings() {
    Map<String, Object> others =
        Stream.of(
                "BAZAAR_PORT GRAFANA_PORT JAVA_HOME LINE_PORT PORT PROMETHEUS_PORT PROXY_LISTEN",
                "PROXY_PORT REVISION TEST_PORT TRACES_PORT URL VERSION XML_LISTEN XML_PORT",
                "SERVICE_HOST SERVICE_PORT PORT_80_TCP CATALOG_SERVICE_HOST CATALOG_SERVICE_PORT",
                "CATALOG_SERVICE_PORT_GRPC CATALOG_PORT_9091_TCP CATALOG_PORT_9091_TCP_ADDR",
                "CATALOG_PORT_9091_TCP_PORT CATALOG_PORT_9091_TCP_PROTO")
            .flatMap(it -> Stream.of(it.split(" ")))
            .collect(Collectors.toMap(it -> "TOYSTORE_" + it, it -> "x"));
    assertThat(variables(others)).containsExactlyInAnyOrderElementsOf(others.keySet());
  }

  @Test
  void valueOutOfRangeIsReportedWithTheRange() {
    assertThatThrownBy(() -> SettingRange.check("toystore.catalog.port", 70_000, 0, 65_535))
        .isInstanceOf(StartupException.class)
        .hasMessage("setting toystore.catalog.port must be from 0 to 65535, got 70000");
  }

  private List<String> check(Map<String, Object> keys) {
    var environment = new StandardEnvironment();
    environment.getPropertySources().remove("systemEnvironment");
    environment.getPropertySources().addFirst(new MapPropertySource("file", keys));
    return unknown.check(environment);
  }

  private List<String> variables(Map<String, Object> variables) {
    var environment = new StandardEnvironment();
    environment
        .getPropertySources()
        .replace(
            "systemEnvironment",
            new SystemEnvironmentPropertySource("systemEnvironment", variables));
    return unknown.check(environment);
  }
}
