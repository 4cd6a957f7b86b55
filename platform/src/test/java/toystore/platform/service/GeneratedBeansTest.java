package toystore.platform.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aot.AotDetector;
import org.springframework.core.SpringProperties;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

class GeneratedBeansTest {
  private static final String ENABLED = "spring.aot.enabled";

  @BeforeEach
  void enable() {
    SpringProperties.setProperty(ENABLED, "true");
  }

  @AfterEach
  void reset() {
    SpringProperties.setProperty(ENABLED, null);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "spring.grpc.server.ssl.bundle",
        "server.forward-headers-strategy",
        "management.endpoints.web.exposure.include",
        "MANAGEMENT_OPENTELEMETRY_TRACING_EXPORT_OTLP_ENDPOINT"
      })
  void settingOfSpringDisablesThem(String key) {
    assertThat(usedWith("commandLineArgs", key)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "toystore.catalog.port",
        "spring.application.pid",
        "spring.config.name",
        "logging.level.root"
      })
  void otherSettingsDoNotDisableThem(String key) {
    assertThat(usedWith("commandLineArgs", key)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"defaultProperties", "Config resource 'class path resource [catalog-service]'"})
  void settingsOfTheProgramDoNotDisableThem(String source) {
    assertThat(usedWith(source, "spring.grpc.server.ssl.bundle")).isTrue();
  }

  private static boolean usedWith(String source, String key) {
    var environment = new StandardEnvironment();
    environment.getPropertySources().addFirst(new MapPropertySource(source, Map.of(key, "x")));
    GeneratedBeans.check(environment);
    return AotDetector.useGeneratedArtifacts();
  }
}
