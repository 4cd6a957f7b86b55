package toystore.exchange;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import toystore.platform.service.SettingRange;

/// Settings of the exchange service.
///
/// @param accountTarget address of the account service: `static://host:port` or `in-process:name`
/// @param deadline for calls to the account service that inherit no deadline, 10 ms to 60 s
/// @param queue capacity of the writer's queue, 1 to 1,000,000
/// @param batch maximum number of commands in a batch, 1 to 10,000
/// @param watchers maximum number of readers of the feed, 1 to 10,000
/// @param watchBuffer maximum number of events that wait for a reader of the feed; a slower one is
///   ended, 1 to 1,000,000
@ConfigurationProperties("toystore.exchange")
public record ExchangeSettings(
    @DefaultValue("static://127.0.0.1:9093") String accountTarget,
    @DefaultValue("1s") Duration deadline,
    @DefaultValue("10000") int queue,
    @DefaultValue("500") int batch,
    @DefaultValue("200") int watchers,
    @DefaultValue("10000") int watchBuffer) {
  public ExchangeSettings {
    SettingRange.check("toystore.exchange.deadline (in ms)", deadline.toMillis(), 10, 60_000);
    SettingRange.check("toystore.exchange.queue", queue, 1, 1_000_000);
    SettingRange.check("toystore.exchange.batch", batch, 1, 10_000);
    SettingRange.check("toystore.exchange.watchers", watchers, 1, 10_000);
    SettingRange.check("toystore.exchange.watch-buffer", watchBuffer, 1, 1_000_000);
  }
}
