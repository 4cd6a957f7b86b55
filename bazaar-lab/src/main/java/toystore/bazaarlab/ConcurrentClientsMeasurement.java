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
import toystore.gatling.result.Observation;
import toystore.gatling.result.RepetitionTimings;
import toystore.gatling.result.Sample;

/// So many clients on a market, each with so many calls.
///
/// | observed              | of    | is                                                              |
/// |-----------------------|-------|-----------------------------------------------------------------|
/// | `queue.mean`          | line  | µs that a task waited for a thread                              |
/// | `queue.max`           | line  | µs, the longest wait the service still knows of                 |
/// | `first-answer.longest`| line  | ms until the last of the clients had its first answer           |
/// | `first-answer.starved`| line  | clients that were not served before another left                |
/// | `updates`             | mixed | prices changed a second meanwhile                               |
/// | `refused.REASON`      | where it may be busy | calls that were told so; their times are in no latency |
///
/// @param asks mixed at random, a cell each
/// @param each calls of each client
/// @param sales numbers of sales to ask for
record ConcurrentClientsMeasurement(
    Target market,
    List<GrpcCall> asks,
    int clients,
    int each,
    List<Long> sales,
    LoadClientMonitor loadClient)
    implements Measurement {
  @Override
  public List<Cell> cells() {
    return asks.stream().map(GrpcCall::word).map(this::cell).toList();
  }

  private Cell cell(String kind) {
    return new Cell(market.name(), clients, kind);
  }

  @Override
  public long calls() {
    return (long) clients * each;
  }

  @Override
  public List<Result> measure(int repetition) throws IOException, InterruptedException {
    var seen = new LinkedHashMap<String, Observed>();
    QueueTimes before = market.line() ? queueTimes() : null;
    var random = new Random(Objects.hash(repetition, cells()));
    var callers = market.callers(clients, asks, sales, random);
    var taken = new Taken(asks);
    loadClient.begin();
    FirstAnswers first;
    try (var updater =
        market.updated() ? new GrpcPriceUpdater(market.catalog().port(), random) : null) {
      first = new ConcurrentClients(callers, made -> made < each, taken).run();
      if (updater != null) {
        seen.put("updates", new Observed(updater.perSecond(), "a second"));
      }
    }
    var strain = loadClient.end(taken.meanGapMicros());
    if (before != null) {
      QueueTimes now = queueTimes();
      seen.put("queue.mean", new Observed(now.meanMicros(before), "µs"));
      seen.put("queue.max", new Observed(now.maxMicros(), "µs"));
      seen.put("first-answer.longest", new Observed(first.longestMillis(), "ms"));
      seen.put("first-answer.starved", new Observed(first.starved(), "clients"));
    }
    taken.refused.forEach((why, count) -> seen.put("refused." + why, new Observed(count, "calls")));
    var results = new ArrayList<Result>();
    for (Cell cell : cells()) {
      results.add(result(repetition, cell, taken.of(cell.kind()), strain, seen));
    }
    return results;
  }

  private record Observed(double value, String unit) {}

  private QueueTimes queueTimes() {
    return QueueTimes.at(market.catalog().metrics());
  }

  private static Result result(
      int repetition,
      Cell cell,
      RepetitionTimings timings,
      Sample.Strain strain,
      Map<String, Observed> seen) {
    Sample sample = timings.sample(repetition, cell, strain);
    if (sample.count() == 0) {
      throw new WrongResponseException(cell.toString(), "an answer", "none");
    }
    var observations =
        seen.entrySet().stream()
            .map(it ->
                new Observation(
                    repetition, cell, it.getKey(), it.getValue().value, it.getValue().unit))
            .toList();
    return new Result(sample, timings.micros(), observations);
  }

  /// What a crowd was answered. Any thread.
  private static final class Taken implements ConcurrentClients.Sink {
    private final Map<String, RepetitionTimings> byKind = new LinkedHashMap<>();
    private final RepetitionTimings all = new RepetitionTimings();
    private final Map<String, Integer> refused = new ConcurrentSkipListMap<>();

    Taken(List<GrpcCall> asks) {
      asks.forEach(ask -> byKind.put(ask.word(), new RepetitionTimings()));
    }

    RepetitionTimings of(String kind) {
      return Objects.requireNonNull(byKind.get(kind), kind);
    }

    double meanGapMicros() {
      return all.meanGapMicros();
    }

    @Override
    public void take(Caller.Answer answer) {
      if (answer.refusal().isEmpty()) {
        of(answer.kind()).add(answer.startNanos(), answer.endNanos());
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
