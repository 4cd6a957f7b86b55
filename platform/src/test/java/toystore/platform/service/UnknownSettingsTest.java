package toystore.platform.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
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
      new UnknownSettings(CATALOG, List.of(SharedSettings.class, Settings.class));

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
                + " toystore.catalog.line-port, toystore.catalog.port, toystore.data,"
                + " toystore.services, toystore.supervised");
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
                    "TOYSTORE_CATALOG_PROT", "1",
                    "PATH", "x")))
        .containsExactly("TOYSTORE_CATALOG_PROT");
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
