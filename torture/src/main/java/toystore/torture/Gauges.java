package toystore.torture;

import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/// What a store's processes say of themselves.
final class Gauges {
  private static final Pattern REFUSALS_AT_ONCE =
      refusals("http_server_requests_seconds_bucket", ",le=\"0.1\"");
  private static final Pattern REFUSALS = refusals("http_server_requests_seconds_count", "");
  private static final Pattern QUEUE =
      Pattern.compile("(?m)^toystore_writer_queue_depth\\{.*} (\\S+)$");
  private static final Pattern HEAP =
      Pattern.compile("(?m)^jvm_memory_used_bytes\\{area=\"heap\",.*} (\\S+)$");

  private final StoreProcesses store;

  Gauges(StoreProcesses store) {
    this.store = store;
  }

  /// How many commands wait for the writer of a service.
  long queued(String service) throws IOException {
    return sum(service, QUEUE);
  }

  /// How many 503 the frontend has answered so far.
  long refusals() throws IOException {
    return sum("frontend", REFUSALS);
  }

  /// How many of those within 100 ms of having read the request's head.
  long refusalsAtOnce() throws IOException {
    return sum("frontend", REFUSALS_AT_ONCE);
  }

  /// What is left in a service's heap once all garbage is gone, in MiB.
  long heap(String service) throws IOException {
    Programs.run(
        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
        Long.toString(store.process(service).pid()),
        "GC.run");
    return sum(service, HEAP) >> 20;
  }

  private long sum(String service, Pattern pattern) throws IOException {
    String page = store.http(service).metrics();
    return (long)
        pattern.matcher(page).results().mapToDouble(it -> Double.parseDouble(it.group(1))).sum();
  }

  private static Pattern refusals(String name, String label) {
    return Pattern.compile("(?m)^%s\\{.*status=\"503\".*%s} (\\S+)$".formatted(name, label));
  }
}
