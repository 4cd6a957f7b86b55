package toystore.platform.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

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

  @Test
  void fileOfTheTokenIsAccepted() {
    assertThatCode(() -> ServiceProcess.refuseSecrets("--toystore.admin-token-file=/run/token"))
        .doesNotThrowAnyException();
  }
}
