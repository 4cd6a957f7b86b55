package toystore.platform.service;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServiceProcessTest {
  @ParameterizedTest
  @ValueSource(strings = {"toystore.admin-token", "toystore.adminToken", "toystore.ADMIN_TOKEN"})
  void administratorsTokenOnTheCommandLineIsRefusedAndNotPrinted(String key) {
    assertThatThrownBy(() -> ServiceProcess.refuseToken("--a=b", "--" + key + "=geheim"))
        .isInstanceOf(StartupException.class)
        .hasMessageStartingWith("setting " + key + " cannot be given on the command line, ")
        .hasMessageNotContaining("geheim");
  }

  @Test
  void fileOfTheTokenIsAccepted() {
    assertThatCode(() -> ServiceProcess.refuseToken("--toystore.admin-token-file=/run/token"))
        .doesNotThrowAnyException();
  }
}
