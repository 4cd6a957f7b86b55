package toystore.lab.floor;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import toystore.lab.load.CallRecorder;
import toystore.lab.load.CellRows;
import toystore.lab.load.StartPlan;

/// The load client of floors that are no HTTP servers: threads that call an [Operation] in a closed
/// loop.
public final class FloorLoad {
  private static final double DISK_WARM_UP_SECONDS = 3;

  private FloorLoad() {}

  /// @param args the file of the [StartPlan] and the file to write
  public static void main(String[] args) throws Exception {
    var plan = new JsonMapper().readValue(Path.of(args[0]).toFile(), StartPlan.class);
    try (var rows = new CellRows(plan, Path.of(args[1]));
        Operation operation = Operation.of(plan.url())) {
      double warmUp =
          plan.url().getScheme().equals("grpc")
              ? plan.warmUpSeconds()
              : Math.min(plan.warmUpSeconds(), DISK_WARM_UP_SECONDS);
      call(operation, plan.warmUpClients(), (int) (warmUp * 1e3), new CallRecorder());
      for (StartPlan.PlannedCell cell : plan.cells()) {
        call(operation, cell.clients(), plan.settlingMillis(), new CallRecorder());
        var recorder = new CallRecorder();
        rows.begin();
        double seconds = call(operation, cell.clients(), plan.measuringMillis(), recorder);
        rows.end(
            new CellRows.Place(cell.phase(), cell.kind(), cell.clients(), "", 0, cell.repetition()),
            seconds,
            recorder);
      }
    }
  }

  /// @return seconds until the end of the last call
  private static double call(Operation operation, int clients, int millis, CallRecorder recorder)
      throws InterruptedException, ExecutionException {
    long begin = System.nanoTime();
    long end = begin + millis * 1_000_000L;
    try (var threads = Executors.newFixedThreadPool(clients)) {
      for (Future<?> client :
          IntStream.range(0, clients)
              .mapToObj(_ -> threads.submit(() -> callUntil(operation, end, recorder)))
              .toList()) {
        client.get();
      }
    }
    return (System.nanoTime() - begin) / 1e9;
  }

  private static @Nullable Void callUntil(Operation operation, long end, CallRecorder recorder)
      throws Exception {
    for (long now = System.nanoTime(); now < end; ) {
      operation.run();
      long after = System.nanoTime();
      recorder.add(after - now);
      now = after;
    }
    return null;
  }
}
