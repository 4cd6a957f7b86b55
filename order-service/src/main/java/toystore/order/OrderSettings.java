package toystore.order;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import toystore.service.Range;

/// The order service's settings.
///
/// @param port where gRPC listens
/// @param listen the address gRPC listens on
/// @param managementPort where health and metrics are
/// @param managementListen the address of those
/// @param catalogTarget where the catalog is: `static://host:port` or `in-process:name`
/// @param deadline of a call to the catalog that serves none with a deadline, 10 ms to 60 s
/// @param recent orders that are remembered beside the book on disk
/// @param readers threads that read from disk, each with a connection
/// @param readQueue questions that may wait for them
@ConfigurationProperties("toystore.order")
record OrderSettings(
    @DefaultValue("9092") int port,
    @DefaultValue("127.0.0.1") String listen,
    @DefaultValue("9082") int managementPort,
    @DefaultValue("127.0.0.1") String managementListen,
    @DefaultValue("static://127.0.0.1:9091") String catalogTarget,
    @DefaultValue("1s") Duration deadline,
    @DefaultValue("10000") int recent,
    @DefaultValue("2") int readers,
    @DefaultValue("1000") int readQueue) {
  OrderSettings {
    Range.check("toystore.order.port", port, 0, 65_535);
    Range.check("toystore.order.management-port", managementPort, 0, 65_535);
    Range.check("toystore.order.deadline (in ms)", deadline.toMillis(), 10, 60_000);
    Range.check("toystore.order.recent", recent, 0, 1_000_000);
    Range.check("toystore.order.readers", readers, 1, 100);
    Range.check("toystore.order.read-queue", readQueue, 1, 1_000_000);
  }
}
