package toystore.catalog;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import toystore.catalog.domain.Items;
import toystore.catalog.line.LineProtocolServer;
import toystore.platform.service.SettingCheck;

/// @param file CSV of the initial products, read if the catalog never had any; absent: the shipped
///   file
/// @param maxItems of all sellers, sold-out ones included; each takes 1.1 kB of heap
/// @param restockInterval between two automatic restocks of sold-out toys; 0: none
/// @param linePort of the bazaar's line protocol; absent: off
/// @param lineServing whether a thread serves one request at a time or one connection
@ConfigurationProperties("toystore.catalog")
record CatalogSettings(
    @Nullable Path file,
    @DefaultValue("" + Items.MAX) int maxItems,
    @DefaultValue("" + Items.MAX_OF_SELLER) int maxItemsPerSeller,
    @DefaultValue("0") Duration restockInterval,
    @Nullable Integer linePort,
    @DefaultValue("8") int linePool,
    @DefaultValue("request") LineProtocolServer.Serving lineServing) {
  CatalogSettings {
    SettingCheck.range("toystore.catalog.max-items", maxItems, 1, 10_000_000);
    SettingCheck.range("toystore.catalog.max-items-per-seller", maxItemsPerSeller, 1, 10_000_000);
    SettingCheck.range(
        "toystore.catalog.restock-interval (in ms)", restockInterval.toMillis(), 0, 86_400_000);
    if (linePort != null) {
      SettingCheck.range("toystore.catalog.line-port", linePort, 0, 65_535);
    }
    SettingCheck.range("toystore.catalog.line-pool", linePool, 1, 1_000);
  }
}
