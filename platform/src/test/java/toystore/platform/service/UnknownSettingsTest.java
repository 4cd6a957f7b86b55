package toystore.platform.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
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
    check(
        Map.of(
            "toystore.data", "x",
            "toystore.admin-token", "x",
            "toystore.catalog.line-port", "1",
            "toystore.catalog.linePort", "1",
            "toystore.hosts[0]", "shop.example",
            "spring.anything", "x"));
    checkVariables(
        Map.of(
            "TOYSTORE_ADMIN_TOKEN", "x",
            "TOYSTORE_CATALOG_LINE_PORT", "1",
            "TOYSTORE_HOSTS_0", "shop.example",
            "TOYSTORE_JAVA_HOME", "x",
            "PATH", "x"));
  }

  @Test
  void unknownSettingAbortsStartupAndIsNamed() {
    assertThatThrownBy(() -> check(Map.of("toystore.catalog.prot", "1")))
        .isInstanceOf(StartupException.class)
        .hasMessage(
            "unknown setting toystore.catalog.prot; remove it, or use one of toystore.admin-token, toystore.admin-token-file,"
                + " toystore.batch, toystore.catalog.line-port, toystore.catalog.port, toystore.data,"
                + " toystore.database, toystore.deadline, toystore.hosts, toystore.listen, toystore.management-listen,"
                + " toystore.queue, toystore.readers, toystore.supervised");
    assertThatThrownBy(() -> check(Map.of("toystore.catalgo.port", "1")))
        .hasMessageStartingWith("unknown setting toystore.catalgo.port; ");
  }

  /// One environment may serve all services, also those that this one does not call.
  @Test
  void settingOfAnotherServiceIsIgnored() {
    for (String other : List.of("account", "exchange", "frontend", "order", "payment")) {
      check(Map.of("toystore." + other + ".whatever", "1"));
      checkVariables(Map.of("TOYSTORE_" + other.toUpperCase(Locale.ROOT) + "_WHATEVER", "1"));
    }
  }

  /// A service that ignored one of these might open an empty SQLite file, or all its ports.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "TOYSTORE_CATALOG_DATABASE",
        "TOYSTORE_CATALOG_DATA",
        "TOYSTORE_CATALOG_LISTEN",
        "TOYSTORE_DATABSE",
        "TOYSTORE_CATALGO_PORT",
        "toystore_databaß"
      })
  void misspelledVariableAbortsStartupAndIsNamed(String variable) {
    assertThatThrownBy(() -> checkVariables(Map.of(variable, "x")))
        .isInstanceOf(StartupException.class)
        .hasMessageStartingWith("unknown setting " + variable + "; remove it, or use one of ")
        .hasMessageContaining(" toystore.database, ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"TOYSTORE_WHATEVER", "TOYSTORE_PORT", "TOYSTORE_KAŠPÁREK"})
  void otherUnknownVariableIsReported(String variable) {
    assertThat(checkVariables(Map.of(variable, "x"))).containsExactly(variable);
  }

  @Test
  void valueOutOfRangeIsReportedWithTheRange() {
    assertThatThrownBy(() -> SettingCheck.range("toystore.catalog.port", 70_000, 0, 65_535))
        .isInstanceOf(StartupException.class)
        .hasMessage("setting toystore.catalog.port must be from 0 to 65535, got 70000");
  }

  private void check(Map<String, Object> keys) {
    var environment = new StandardEnvironment();
    environment.getPropertySources().remove("systemEnvironment");
    environment.getPropertySources().addFirst(new MapPropertySource("file", keys));
    unknown.check(environment);
  }

  private List<String> checkVariables(Map<String, Object> variables) {
    var environment = new StandardEnvironment();
    environment
        .getPropertySources()
        .replace(
            "systemEnvironment",
            new SystemEnvironmentPropertySource("systemEnvironment", variables));
    return unknown.check(environment);
  }
}
