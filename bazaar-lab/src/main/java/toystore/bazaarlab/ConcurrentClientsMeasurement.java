package toystore.bazaarlab;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ConcurrentSkipListMap;
import toystore.gatling.LoadClientMonitor;
import toystore.gatling.result.Cell;
import toystore.gatling.result.ObservedValue;
import toystore.gatling.result.RepetitionSummary;
import toystore.gatling.result.RepetitionTimings;

/// Measures one number of clients on a target; every client makes the same number of calls. It adds
/// these observations:
///
/// | observation           | for   | meaning                                                         |
/// |-----------------------|-------|-----------------------------------------------------------------|
/// | `queue.mean`          | line  | µs that a task waited for a thread                              |
/// | `queue.max`           | line  | µs, the longest wait of the last minutes                        |
/// | `first-answer.longest`| line  | ms until every client had its first answer                      |
/// | `first-answer.starved`| line  | clients that were not served until another disconnected         |
/// | `updates`             | mixed | price changes per second                                        |
/// | `refused.REASON`      | if calls may be refused | refused calls; latencies exclude them |
///
/// @param grpcCalls chosen at random, one cell each
/// @param callsPerClient calls of each client
/// @param sales sale numbers for queries of sales
record ConcurrentClientsMeasurement(
    MeasuredCatalog target,
    List<GrpcCallKind> grpcCalls,
    int clients,
    int callsPerClient,
    List<Long> sales,
    LoadClientMonitor loadClient)
    implements BenchmarkCase {
  @Override
  public List<Cell> cells() {
    return grpcCalls.stream().map(GrpcCallKind::label).map(this::cell).toList();
  }

  private Cell cell(String kind) {
    return new Cell(target.name(), clients, kind);
  }

  @Override
  public long calls() {
    return (long) clients * callsPerClient;
  }

  @Override
  public List<Result> measure(int repetition) throws IOException, InterruptedException {
    var seen = new LinkedHashMap<String, Observed>();
    LineQueueMetrics before = target.line() ? queueTimes() : null;
    var random = new Random(Objects.hash(repetition, cells()));
    var callers = target.callers(clients, grpcCalls, sales, random);
    var recorded = new RecordedAnswers(grpcCalls);
    loadClient.begin();
    StarvationTracker first;
    try (var updater =
        target.updated() ? new GrpcPriceUpdater(target.catalog().port(), random) : null) {
      first =
          new ConcurrentClients(callers, callsMade -> callsMade < callsPerClient, recorded).run();
      if (updater != null) {
        seen.put("updates", new Observed(updater.perSecond(), "a second"));
      }
    }
    var strain = loadClient.end(recorded.meanGapMicros());
    if (before != null) {
      LineQueueMetrics now = queueTimes();
      seen.put("queue.mean", new Observed(now.meanMicros(before), "µs"));
      seen.put("queue.max", new Observed(now.maxMicros(), "µs"));
      seen.put("first-answer.longest", new Observed(first.longestMillis(), "ms"));
      seen.put("first-answer.starved", new Observed(first.starved(), "clients"));
    }
    recorded.refused.forEach(
        (why, count) -> seen.put("refused." + why, new Observed(count, "calls")));
    var results = new ArrayList<Result>();
    for (Cell cell : cells()) {
      results.add(result(repetition, cell, recorded.timings(cell.kind()), strain, seen));
    }
    return results;
  }

  private record Observed(double value, String unit) {}

  private LineQueueMetrics queueTimes() {
    return LineQueueMetrics.at(target.catalog().metrics());
  }

  private static Result result(
      int repetition,
      Cell cell,
      RepetitionTimings timings,
      RepetitionSummary.Strain strain,
      Map<String, Observed> seen) {
    RepetitionSummary sample = timings.sample(repetition, cell, strain);
    if (sample.count() == 0) {
      throw new WrongResponseException(cell.toString(), "at least one response", "none");
    }
    var observations =
        seen.entrySet().stream()
            .map(it ->
                new ObservedValue(
                    repetition, cell, it.getKey(), it.getValue().value, it.getValue().unit))
            .toList();
    return new Result(sample, timings.micros(), observations);
  }

  /// Collects the answers of all clients. Any thread.
  private static final class RecordedAnswers implements ConcurrentClients.Sink {
    private final Map<String, RepetitionTimings> byKind = new LinkedHashMap<>();
    private final RepetitionTimings all = new RepetitionTimings();
    private final Map<String, Integer> refused = new ConcurrentSkipListMap<>();

    RecordedAnswers(List<GrpcCallKind> grpcCalls) {
      grpcCalls.forEach(grpcCall -> byKind.put(grpcCall.label(), new RepetitionTimings()));
    }

    RepetitionTimings timings(String kind) {
      return Objects.requireNonNull(byKind.get(kind), kind);
    }

    double meanGapMicros() {
      return all.meanGapMicros();
    }

    @Override
    public void take(Caller.Answer answer) {
      if (answer.refusal().isEmpty()) {
        timings(answer.kind()).add(answer.startNanos(), answer.endNanos());
      } else {
        refused.merge(answer.refusal(), 1, Integer::sum);
      }
    }

    @Override
    public void takeGap(long nanos) {
      all.addGap(nanos);
    }
  }
}
