package toystore.platform.service;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// Settings of calls to other services.
///
/// @param deadline maximum time of a call that inherits no deadline
@ConfigurationProperties("toystore")
public record CallSettings(@DefaultValue("1s") Duration deadline) {
  public CallSettings {
    SettingRange.check("toystore.deadline (in ms)", deadline.toMillis(), 10, 60_000);
  }
}
