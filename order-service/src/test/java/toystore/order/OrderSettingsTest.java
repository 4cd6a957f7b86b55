package toystore.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static toystore.common.RootLocale.format;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.core.NestedExceptionUtils;
import toystore.platform.service.StartupException;

class OrderSettingsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "catalog-target|must be static://host:port,…, dns:///host:port or in-process:name, got \"\"",
        "account-target|must be empty, static://host:port,…, dns:///host:port or in-process:name, got \"x\"",
        "payment-target|must be empty, static://host:port,…, dns:///host:port or in-process:name, got \"x\""
      })
  void invalidTargetAbortsStartup(String setting, String message) {
    var value = Map.of("toystore.order." + setting, setting.startsWith("catalog") ? "" : "x");

    var failure =
        catchThrowable(() ->
            new Binder(new MapConfigurationPropertySource(value))
                .bindOrCreate("toystore.order", OrderSettings.class));

    assertThat(NestedExceptionUtils.getMostSpecificCause(failure))
        .isInstanceOf(StartupException.class)
        .hasMessage(format("setting toystore.order.%s %s", setting, message));
  }
}
