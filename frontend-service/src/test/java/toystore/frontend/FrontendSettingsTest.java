package toystore.frontend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.core.NestedExceptionUtils;
import toystore.platform.service.StartupException;

class FrontendSettingsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "port=65536|port must be from 0 to 65535, got 65536",
        "management-port=-1|management-port must be from 0 to 65535, got -1",
        "audit-interval=999ms|audit-interval must be 0 or a duration from 1s to 24h, got \"999ms\"",
        "audit-interval=25h|audit-interval must be 0 or a duration from 1s to 24h, got \"90000000ms\"",
        "catalog-target=nowhere|catalog-target must be static://host:port,…, dns:///host:port or in-process:name, got \"nowhere\"",
        "order-target=|order-target must be static://host:port,…, dns:///host:port or in-process:name, got \"\"",
        "exchange-target=none|exchange-target must be empty, static://host:port,…, dns:///host:port or in-process:name, got \"none\""
      })
  void settingOutOfRangeAbortsStartup(String setting, String message) {
    var failure = catchThrowable(() -> RunningFrontend.frontend("--toystore.frontend." + setting));

    assertThat(NestedExceptionUtils.getMostSpecificCause(failure))
        .isInstanceOf(StartupException.class)
        .hasMessage("setting toystore.frontend." + message);
  }
}
