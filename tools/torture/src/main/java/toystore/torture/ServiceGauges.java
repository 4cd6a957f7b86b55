package toystore.torture;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import toystore.testkit.Project;
import toystore.testkit.StoreProcesses;

/// Metrics of a store's processes.
final class ServiceGauges {
  private static final Pattern QUEUE =
      Pattern.compile("(?m)^toystore_writer_queue_depth\\{.*} (\\S+)$");
  private static final Pattern HEAP =
      Pattern.compile("(?m)^jvm_memory_used_bytes\\{area=\"heap\",.*} (\\S+)$");

  private final StoreProcesses store;

  ServiceGauges(StoreProcesses store) {
    this.store = store;
  }

  /// The number of commands in the queue of a service's writer.
  long queued(String service) throws IOException {
    return sum(service, QUEUE);
  }

  /// The used heap of a service after a garbage collection, in MiB.
  long heap(String service) throws IOException {
    String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    Project.run(List.of(jcmd, Long.toString(store.process(service).pid()), "GC.run"));
    return sum(service, HEAP) >> 20;
  }

  private long sum(String service, Pattern pattern) throws IOException {
    String page = store.http(service).metrics();
    return (long)
        pattern.matcher(page).results().mapToDouble(it -> Double.parseDouble(it.group(1))).sum();
  }
}
