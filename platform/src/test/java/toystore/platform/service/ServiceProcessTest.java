package toystore.platform.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

class ServiceProcessTest {
  @ParameterizedTest
  @ValueSource(strings = {"toystore.admin-token", "toystore.adminToken", "toystore.ADMIN_TOKEN"})
  void administratorsTokenOnTheCommandLineIsRefusedAndNotPrinted(String key) {
    assertThatThrownBy(() -> ServiceProcess.refuseSecrets("--a=b", "--" + key + "=geheim"))
        .isInstanceOf(StartupException.class)
        .hasMessageStartingWith("setting " + key + " cannot be given on the command line, ")
        .hasMessageNotContaining("geheim");
  }

  /// In the locale C these are all paths beyond ASCII; everywhere, those with a NUL.
  @Test
  void pathThatTheLocaleCannotRepresentIsNamedWithItsSettingAndTheCharset() {
    var binder = new Binder(new MapConfigurationPropertySource(Map.of("toystore.data", "a\0b")));
    var failure =
        catchThrowableOfType(BindException.class, () -> binder.bind("toystore.data", Path.class));

    assertThat(ServiceProcess.reason(failure))
        .isEqualTo(
            "setting toystore.data must be a path in the locale's charset, %s; got \"a\0b\"; set LC_ALL=C.UTF-8 if it has other characters",
            System.getProperty("sun.jnu.encoding"));
  }

  /// Who reads a log sees which program wrote it, and where its data is.
  @Test
  void logBeginsWithVersionDataAndPorts() {
    var exchange = descriptor(true, Map.of("xml", 12_345));
    var settings =
        Map.<String, Object>of(
            "toystore.data", "/toys/Kašpárek",
            "toystore.exchange.port", "9194",
            "toystore.exchange.management-port", "9184",
            "toystore.exchange.xml-port", "12445");
    assertThat(ServiceProcess.describe(exchange, environment(settings)))
        .matches(
            "exchange-service \\S+, data in /toys/Kašpárek/exchange/exchange\\.db, gRPC port 9194,"
                + " xml port 12445, management port 9184");

    var onPostgres = new HashMap<>(settings);
    onPostgres.put("toystore.database", "jdbc:postgresql://me:geheim@db:5432/toys?password=geheim");
    assertThat(ServiceProcess.describe(exchange, environment(onPostgres)))
        .contains(", data in jdbc:postgresql://db:5432/toys, gRPC port 9194");
    assertThat(ServiceProcess.describe(descriptor(false, Map.of()), environment(settings)))
        .endsWith("gRPC port 9194, management port 9184")
        .doesNotContain("data in");
  }

  private static StoreServiceDescriptor descriptor(boolean database, Map<String, Integer> ports) {
    return new StoreServiceDescriptor(
        "exchange-service",
        "exchange",
        StoreServiceDescriptor.Protocol.GRPC,
        9_094,
        9_084,
        List.of(),
        database,
        64,
        false,
        ports);
  }

  private static StandardEnvironment environment(Map<String, Object> settings) {
    var environment = new StandardEnvironment();
    environment.getPropertySources().addFirst(new MapPropertySource("test", settings));
    return environment;
  }

  @Test
  void fileOfTheTokenIsAccepted() {
    assertThatCode(() -> ServiceProcess.refuseSecrets("--toystore.admin-token-file=/run/token"))
        .doesNotThrowAnyException();
  }
}
