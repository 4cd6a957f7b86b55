package toystore.catalog;

import io.grpc.netty.NettyServerBuilder;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.grpc.server.autoconfigure.GrpcServerExecutorProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.grpc.server.ServerBuilderCustomizer;
import toystore.rpc.CallWorkers;
import toystore.service.OnDisk;
import toystore.service.ServiceProcess;
import toystore.service.StartRefused;
import toystore.service.StoreSettings;
import toystore.service.watch.WriterMeters;
import toystore.writer.DataFolder;
import toystore.writer.Ledger;
import toystore.writer.ReadPool;
import toystore.writer.SingleWriter;
import toystore.writer.SqliteFile;

/// The catalog service and its parts, each before what is built on it.
@SpringBootApplication(proxyBeanMethods = false)
@EnableConfigurationProperties({StoreSettings.class, CatalogSettings.class})
public class CatalogApplication {
  public static final String NAME = "catalog-service";
  public static final Class<? extends Record> SETTINGS = CatalogSettings.class;

  public static void main(String[] args) {
    ServiceProcess.run(CatalogApplication.class, NAME, SETTINGS, args);
  }

  @Bean
  DataFolder catalogFolder(StoreSettings store) {
    return OnDisk.open(() -> DataFolder.lock(store.folder("catalog")));
  }

  @Bean
  SqliteFile catalogFile(DataFolder folder, CatalogSettings settings) {
    Path path = folder.file("catalog.db");
    if (Files.notExists(path)) {
      firstProducts(settings.file()); // a bad line is told before there is a database
    }
    return OnDisk.open(() -> SqliteFile.open(path, "db/catalog"));
  }

  @Bean
  Catalog catalog() {
    return new Catalog();
  }

  @Bean
  CatalogLedger catalogLedger(SqliteFile file, Catalog catalog, MeterRegistry registry) {
    CatalogLedger ledger =
        OnDisk.open(
            () -> file.load(() -> new CatalogLedger(file, catalog, InstantSource.system())));
    Gauge.builder("toystore.catalog.products", catalog, Catalog::size)
        .description("Products on sale")
        .register(registry);
    Gauge.builder("toystore.catalog.next.sale", ledger, CatalogLedger::nextNumber)
        .description("The number the next sale gets")
        .register(registry);
    return ledger;
  }

  /// @param ledger the catalog's, or what a test puts before it
  @Bean
  SingleWriter<Request, Answer> catalogWriter(
      Ledger<Request, Answer> ledger,
      CatalogLedger state,
      SqliteFile file,
      CatalogSettings settings,
      MeterRegistry registry) {
    var meters = new WriterMeters(registry, "catalog");
    boolean isNew = state.isNew();
    List<ProductSpec> first = isNew ? firstProducts(settings.file()) : List.of();
    var writer =
        new SingleWriter<>(
            "catalog",
            ledger,
            settings.queue(),
            settings.batch(),
            ServiceProcess::diskFailed,
            meters);
    meters.show(writer, file);
    if (isNew) {
      writer.submit(Request.of(new Command.Import(first, false))).toCompletableFuture().join();
    }
    return writer;
  }

  @Bean
  ReadPool catalogReaders(SqliteFile file, CatalogSettings settings, MeterRegistry registry) {
    ReadPool readers = file.readers(settings.readers(), settings.readQueue());
    WriterMeters.readers(registry, "catalog", readers);
    return readers;
  }

  @Bean
  CatalogAudit catalogAudit(SqliteFile file) {
    return new CatalogAudit(file.readers(1, 10));
  }

  /// Calls run where they arrive, for they never block, unless [CallWorkers] says otherwise.
  @Bean
  GrpcServerExecutorProvider direct() {
    return () -> Runnable::run;
  }

  @Bean
  CallWorkers callWorkers(CatalogSettings settings) {
    return CallWorkers.of(settings.workers(), settings.workQueue());
  }

  @Bean
  ServerBuilderCustomizer<NettyServerBuilder> onWorkers(CallWorkers workers) {
    return workers::serve;
  }

  @Bean
  BookCheck bookCheck() {
    return new BookCheck();
  }

  private static List<ProductSpec> firstProducts(@Nullable Path file) {
    String name = file == null ? "the shipped catalog" : file.toString();
    try (Reader csv = file == null ? shipped() : Files.newBufferedReader(file)) {
      return CatalogCsv.read(csv);
    } catch (IOException e) {
      throw new StartRefused("catalog file " + name + " cannot be read: " + e, e);
    } catch (IllegalArgumentException e) {
      throw new StartRefused("catalog file " + name + ", " + e.getMessage(), e);
    }
  }

  private static Reader shipped() {
    InputStream csv = CatalogApplication.class.getResourceAsStream("/catalog.csv");
    if (csv == null) {
      throw new IllegalStateException("no catalog.csv in the jar");
    }
    return new InputStreamReader(csv, StandardCharsets.UTF_8);
  }
}
