package toystore.order;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.grpc.server.autoconfigure.GrpcServerExecutorProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.grpc.client.GrpcChannelFactory;
import toystore.service.CallSettings;
import toystore.service.Channel;
import toystore.service.OnDisk;
import toystore.service.Resilience;
import toystore.service.ServiceProcess;
import toystore.service.StoreSettings;
import toystore.service.watch.WriterMeters;
import toystore.writer.DataFolder;
import toystore.writer.Ledger;
import toystore.writer.ReadPool;
import toystore.writer.SingleWriter;
import toystore.writer.SqliteFile;

/// The order service and its parts, each before what is built on it.
@SpringBootApplication(proxyBeanMethods = false)
@EnableConfigurationProperties({StoreSettings.class, CallSettings.class, OrderSettings.class})
public class OrderApplication {
  public static final String NAME = "order-service";
  public static final Class<? extends Record> SETTINGS = OrderSettings.class;

  /// Pages that may wait to be entered: the follower waits for each.
  private static final int PAGES = 10;

  public static void main(String[] args) {
    ServiceProcess.run(OrderApplication.class, NAME, SETTINGS, args);
  }

  @Bean
  DataFolder orderFolder(StoreSettings store) {
    return OnDisk.open(() -> DataFolder.lock(store.folder("order")));
  }

  @Bean
  SqliteFile orderFile(DataFolder folder) {
    return OnDisk.open(() -> SqliteFile.open(folder.file("order.db"), "db/order"));
  }

  @Bean
  BookLedger bookLedger(SqliteFile file) {
    return OnDisk.open(() -> file.load(() -> new BookLedger(file)));
  }

  /// @param ledger the book's, or what a test puts before it
  @Bean
  SingleWriter<List<Order>, Position> bookWriter(
      Ledger<List<Order>, Position> ledger, SqliteFile file, MeterRegistry registry) {
    var meters = new WriterMeters(registry, "orders");
    var writer =
        new SingleWriter<>("orders", ledger, PAGES, PAGES, ServiceProcess::diskFailed, meters);
    meters.show(writer, file);
    return writer;
  }

  @Bean
  ReadPool orderReaders(SqliteFile file, OrderSettings settings, MeterRegistry registry) {
    ReadPool readers = file.readers(settings.readers(), settings.readQueue());
    WriterMeters.readers(registry, "orders", readers);
    return readers;
  }

  @Bean
  RecentOrders recentOrders(OrderSettings settings, MeterRegistry registry) {
    return new RecentOrders(settings.recent(), registry);
  }

  @Bean
  Resilience resilience(CallSettings settings, MeterRegistry metrics) {
    return new Resilience("order", settings, metrics);
  }

  @Bean
  Channel catalogChannel(
      GrpcChannelFactory channels, OrderSettings settings, Resilience resilience) {
    return Channel.open(
        channels, "catalog", settings.catalogTarget(), settings.deadline(), resilience);
  }

  /// gRPC calls run where they arrive: they never block.
  @Bean
  GrpcServerExecutorProvider direct() {
    return () -> Runnable::run;
  }
}
