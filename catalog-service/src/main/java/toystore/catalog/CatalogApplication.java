package toystore.catalog;

import static java.util.Objects.requireNonNull;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.SchedulingConfigurer;
import org.springframework.scheduling.config.FixedDelayTask;
import toystore.catalog.domain.Catalog;
import toystore.catalog.domain.CatalogCommand;
import toystore.catalog.domain.CatalogCsv;
import toystore.catalog.domain.CatalogUnitOfWork;
import toystore.catalog.domain.Items;
import toystore.catalog.domain.ProductSpec;
import toystore.catalog.domain.SaleKind;
import toystore.catalog.domain.SaleSeries;
import toystore.catalog.domain.SalesCounter;
import toystore.catalog.storage.AutomaticRestock;
import toystore.catalog.storage.CatalogAudit;
import toystore.catalog.storage.CatalogBatches;
import toystore.platform.idempotency.Submitted;
import toystore.platform.service.DatabaseConfiguration;
import toystore.platform.service.DatabaseSettings;
import toystore.platform.service.ServiceProcess;
import toystore.platform.service.StartupException;
import toystore.platform.service.StorageStartup;
import toystore.platform.service.StoreServiceDescriptor;
import toystore.platform.storage.Database;
import toystore.platform.storage.ReadPool;
import toystore.platform.storage.SingleWriter;
import toystore.platform.storage.WriterListener;
import toystore.platform.text.Utf8;

/// The catalog service and its beans, in order of dependency.
@SpringBootApplication(proxyBeanMethods = false)
@EnableScheduling
@Import(DatabaseConfiguration.class)
@EnableConfigurationProperties(CatalogSettings.class)
public class CatalogApplication {
  public static final String NAME = "catalog-service";
  public static final Class<? extends Record> SETTINGS = CatalogSettings.class;

  private static final int MAX_FILE_BYTES = 16 << 20; // as in an import

  public static void main(String[] args) {
    ServiceProcess.run(CatalogApplication.class, NAME, SETTINGS, args);
  }

  /// Rejects an invalid catalog file before the database is created.
  @Bean
  DatabaseConfiguration.FirstStartCheck catalogFileIsValid(CatalogSettings settings) {
    return () -> initialProducts(settings.file());
  }

  @Bean
  Catalog catalog(CatalogSettings settings) {
    return new Catalog(
        new SplittableRandom().nextLong(1, Long.MAX_VALUE),
        new Items(settings.maxItems(), settings.maxItemsPerSeller()));
  }

  @Bean
  CatalogBatches catalogBatches(Database database, Catalog catalog, MeterRegistry registry) {
    CatalogBatches batches =
        StorageStartup.open(() ->
            database.load(() -> new CatalogBatches(database, catalog, InstantSource.system())));
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
  SingleWriter<CatalogUnitOfWork> catalogWriter(
      Database database,
      CatalogBatches batches,
      CatalogSettings settings,
      DatabaseSettings databaseSettings,
      StoreServiceDescriptor service,
      WriterListener listener) {
    boolean isNew = batches.isNew();
    List<ProductSpec> initial = isNew ? initialProducts(settings.file()) : List.of();
    var writer =
        new SingleWriter<>(
            service.name(),
            database,
            batches::begin,
            databaseSettings.queue(),
            databaseSettings.batch(),
            ServiceProcess::exitAfterFatalError,
            listener);
    if (isNew) {
      writer
          .submit(new Submitted<>(new CatalogCommand.Import(initial, false)))
          .toCompletableFuture()
          .join();
    }
    return writer;
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

  /// The reader of `ListItemSales`, with which the order service compares its purchases. It delays
  /// no customer's read, and none delays it.
  @Bean(defaultCandidate = false)
  ReadPool salesReader(Database database) {
    return database.readers(1, DatabaseConfiguration.BACKGROUND_QUEUE);
  }

  private static List<ProductSpec> initialProducts(@Nullable Path file) {
    String name = file == null ? "the shipped catalog" : file.toString();
    try (InputStream csv = file == null ? openShippedCatalog() : Files.newInputStream(file)) {
      return CatalogCsv.read(Utf8.read(csv, MAX_FILE_BYTES));
    } catch (IOException e) {
      throw new StartupException("catalog file " + name + " cannot be read: " + e, e);
    } catch (IllegalArgumentException e) {
      throw new StartupException(
          "catalog file " + name + ", " + String.valueOf(e.getMessage()).replace('\n', ';'), e);
    }
  }

  private static InputStream openShippedCatalog() {
    return requireNonNull(
        CatalogApplication.class.getResourceAsStream("/catalog.csv"),
        "catalog.csv not found on the class path");
  }
}
