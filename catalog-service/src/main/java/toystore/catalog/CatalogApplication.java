package toystore.catalog;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.SchedulingConfigurer;
import org.springframework.scheduling.config.FixedDelayTask;
import toystore.catalog.domain.Catalog;
import toystore.catalog.domain.CatalogUnitOfWork;
import toystore.catalog.domain.Items;
import toystore.catalog.domain.SaleKind;
import toystore.catalog.domain.SaleSeries;
import toystore.catalog.domain.SalesCounter;
import toystore.catalog.storage.AutomaticRestock;
import toystore.catalog.storage.CatalogAudit;
import toystore.catalog.storage.CatalogBatches;
import toystore.catalog.storage.InitialProducts;
import toystore.platform.service.DatabaseConfiguration;
import toystore.platform.service.ServiceProcess;
import toystore.platform.storage.Database;
import toystore.platform.storage.ReadPool;
import toystore.platform.storage.SingleWriter;

/// The catalog service and its beans, in order of dependency.
@SpringBootApplication(proxyBeanMethods = false)
@EnableScheduling
@Import(DatabaseConfiguration.class)
@EnableConfigurationProperties(CatalogSettings.class)
public class CatalogApplication {
  public static final String NAME = "catalog-service";
  public static final Class<? extends Record> SETTINGS = CatalogSettings.class;

  public static void main(String[] args) {
    ServiceProcess.run(CatalogApplication.class, NAME, SETTINGS, args);
  }

  @Bean
  Catalog catalog(CatalogSettings settings) {
    return new Catalog(new Items(settings.maxItems(), settings.maxItemsPerSeller()));
  }

  @Bean
  CatalogBatches catalogBatches(Database database, Catalog catalog, MeterRegistry registry) {
    var batches = new CatalogBatches(database, catalog, InstantSource.system());
    Gauge.builder("toystore.catalog.products", catalog, Catalog::size)
        .description("The shop's own products on sale")
        .register(registry);
    Gauge.builder("toystore.catalog.items", catalog.items(), Items::size)
        .description("Sellers' items")
        .register(registry);
    Gauge.builder("toystore.catalog.watchers", catalog, Catalog::listeners)
        .description("Frontends that watch the products for their caches")
        .register(registry);
    for (SaleSeries series : SaleSeries.values()) {
      Gauge.builder("toystore.catalog.next.sale", batches, it -> it.nextNumber(series))
          .description("The number the next sale of the series gets")
          .tag("series", tag(series))
          .register(registry);
      for (SaleKind kind : series.kinds()) {
        count(
            registry,
            Tags.of("series", tag(series), "kind", tag(kind)),
            batches.counter(series, kind));
      }
    }
    return batches;
  }

  private static String tag(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private static void count(MeterRegistry registry, Tags tags, SalesCounter counter) {
    FunctionCounter.builder("toystore.orders", counter.sales(), LongAdder::sum)
        .description("Committed sales since the catalog started")
        .tags(tags)
        .register(registry);
    FunctionCounter.builder("toystore.units", counter.units(), LongAdder::sum)
        .description("Units of these sales")
        .tags(tags)
        .register(registry);
    FunctionCounter.builder("toystore.revenue", counter.cents(), DoubleAdder::sum)
        .description("Units times price of these sales")
        .baseUnit("cents")
        .tags(tags)
        .register(registry);
  }

  @Bean
  InitialProducts initialProducts(
      CatalogSettings settings, CatalogBatches state, SingleWriter<CatalogUnitOfWork> writer) {
    return new InitialProducts(settings.file(), state, writer);
  }

  @Bean
  AutomaticRestock automaticRestock(
      Catalog catalog, SingleWriter<CatalogUnitOfWork> writer, MeterRegistry registry) {
    var restock = new AutomaticRestock(catalog, writer);
    FunctionCounter.builder("toystore.catalog.restocked", restock, AutomaticRestock::restocked)
        .description("Sold-out toys that were filled because of the restock interval")
        .register(registry);
    return restock;
  }

  @Bean
  SchedulingConfigurer restockSchedule(AutomaticRestock restock, CatalogSettings settings) {
    Duration interval = settings.restockInterval();
    return tasks -> {
      if (!interval.isZero()) {
        tasks.addFixedDelayTask(new FixedDelayTask(restock::run, interval, interval));
      }
    };
  }

  @Bean
  CatalogAudit catalogAudit(@Qualifier("auditReader") ReadPool reader) {
    return new CatalogAudit(reader);
  }

  /// Reads for `ListItemSales`, apart from the customers' reads, so that neither delays the other.
  @Bean(defaultCandidate = false)
  ReadPool salesReader(Database database) {
    return database.readers(1, DatabaseConfiguration.BACKGROUND_QUEUE);
  }
}
