package toystore.catalog;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import toystore.service.Range;

/// The catalog's settings.
///
/// @param port where gRPC listens
/// @param listen the address gRPC listens on
/// @param managementPort where health and metrics are
/// @param managementListen the address of those
/// @param file CSV of the products, read when there never were any; absent: the shipped one
/// @param queue commands that may wait
/// @param batch commands that are committed together at most
/// @param readers threads that read from disk, each with a connection
/// @param readQueue questions that may wait for them
@ConfigurationProperties("toystore.catalog")
record CatalogSettings(
    @DefaultValue("9091") int port,
    @DefaultValue("127.0.0.1") String listen,
    @DefaultValue("9081") int managementPort,
    @DefaultValue("127.0.0.1") String managementListen,
    @Nullable Path file,
    @DefaultValue("10000") int queue,
    @DefaultValue("500") int batch,
    @DefaultValue("2") int readers,
    @DefaultValue("1000") int readQueue) {
  CatalogSettings {
    Range.check("toystore.catalog.port", port, 0, 65_535);
    Range.check("toystore.catalog.management-port", managementPort, 0, 65_535);
    Range.check("toystore.catalog.queue", queue, 1, 1_000_000);
    Range.check("toystore.catalog.batch", batch, 1, 10_000);
    Range.check("toystore.catalog.readers", readers, 1, 100);
    Range.check("toystore.catalog.read-queue", readQueue, 1, 1_000_000);
  }
}
