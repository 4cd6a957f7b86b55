package toystore.catalog;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import toystore.catalog.line.LineProtocolServer;
import toystore.platform.service.SettingRange;
import toystore.platform.service.StartupException;

/// The catalog's own settings.
///
/// @param file CSV of the products, read when there never were any; absent: the shipped one
/// @param queue commands that may wait
/// @param batch commands that are committed together at most
/// @param workers where gRPC calls run: `direct` (on gRPC's own threads), `virtual`, or 1 to 999
///   threads
/// @param workQueue calls that may wait, where those are a fixed number of threads
/// @param linePort where the bazaar's line protocol listens; absent: nowhere
/// @param linePool threads that serve it
/// @param lineServing whether each serves a request at a time or a connection
/// @param lineConnections connections that may be open
/// @param lineIdle how long a connection may be silent
@ConfigurationProperties("toystore.catalog")
record CatalogSettings(
    @Nullable Path file,
    @DefaultValue("10000") int queue,
    @DefaultValue("500") int batch,
    @DefaultValue("direct") String workers,
    @DefaultValue("10000") int workQueue,
    @Nullable Integer linePort,
    @DefaultValue("8") int linePool,
    @DefaultValue("request") LineProtocolServer.Serving lineServing,
    @DefaultValue("1000") int lineConnections,
    @DefaultValue("60s") Duration lineIdle) {
  CatalogSettings {
    SettingRange.check("toystore.catalog.queue", queue, 1, 1_000_000);
    SettingRange.check("toystore.catalog.batch", batch, 1, 10_000);
    if (!workers.matches("direct|virtual|[1-9]\\d{0,2}")) {
      throw new StartupException(
          "setting toystore.catalog.workers must be direct, virtual or 1 to 999, got " + workers);
    }
    SettingRange.check("toystore.catalog.work-queue", workQueue, 1, 1_000_000);
    if (linePort != null) {
      SettingRange.check("toystore.catalog.line-port", linePort, 0, 65_535);
    }
    SettingRange.check("toystore.catalog.line-pool", linePool, 1, 1_000);
    SettingRange.check("toystore.catalog.line-connections", lineConnections, 1, 10_000);
    SettingRange.check("toystore.catalog.line-idle (in ms)", lineIdle.toMillis(), 100, 3_600_000);
  }
}
