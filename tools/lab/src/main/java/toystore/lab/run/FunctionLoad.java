package toystore.lab.run;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.Histogram;
import toystore.clients.load.CallSource;
import toystore.clients.load.ClosedLoop;
import toystore.clients.load.FaultWatch;
import toystore.clients.load.LiveLoad;
import toystore.clients.load.LiveLoad.Totals;
import toystore.clients.load.LoadConnection;
import toystore.clients.load.Scenario;
import toystore.clients.load.ScenarioSetUp;
import toystore.lab.run.FailurePlan.ClientFunction;

/// The clients of one function in a cell of a [FailureRun]. They send at most ten requests a second
/// each, without a key, and repeat nothing, so that each failure is seen. One thread.
final class FunctionLoad implements AutoCloseable {
  private static final int TRIES = 30;
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final long RETRY_MILLIS = 1_000;
  static final Duration ANSWERED_WITHIN = Duration.ofSeconds(1);

  private final ClientFunction function;
  private final CallSource calls;
  private final long first;
  private final LiveLoad load;
  private Histogram before;
  private Histogram window;
  private Totals observed;
  private int unanswered; // calls for a number, which may have been done

  /// Connects clients to the frontends in turns: to the next one if one refuses. A client whose
  /// connection has ended connects again.
  record Frontends(List<URI> urls, AtomicInteger turn) implements CallSource.Connector {
    Frontends(List<URI> urls) {
      this(urls, new AtomicInteger());
    }

    @Override
    public LoadConnection open(URI ignored) throws IOException {
      var refused = new IOException("no frontend can be reached");
      for (int i = 0; i < urls.size(); i++) {
        try {
          return LoadConnection.open(urls.get(Math.floorMod(turn.getAndIncrement(), urls.size())));
        } catch (IOException away) {
          refused.addSuppressed(away);
        }
      }
      throw refused;
    }
  }

  /// Registers the users of a function.
  static CallSource prepare(
      ClientFunction function, Frontends frontends, Scenario scenario, int clients)
      throws IOException, InterruptedException {
    URI url = frontends.urls.getFirst();
    Scenario prepared = ScenarioSetUp.call(url, scenario, List.of(function.kind()), clients);
    return new CallSource(url, prepared, function.kind(), frontends);
  }

  /// Starts the clients of a function. Nothing else may use its numbers from now on.
  FunctionLoad(ClientFunction function, CallSource calls, int clients)
      throws IOException, InterruptedException {
    this.function = function;
    this.calls = calls;
    first = number();
    load = new LiveLoad(List.of(calls), 0, clients, PAUSE, new ClosedLoop.ResponseListener() {});
    before = load.latencies().getFirst();
    window = before;
    observed = totals();
  }

  void failureBegins() {
    before = load.latencies().getFirst();
  }

  /// Ends the time whose latencies are reported.
  void windowEnds() {
    window = load.latencies().getFirst();
    window.subtract(before);
  }

  /// Notes what its clients saw so far.
  void observe() {
    observed = totals();
  }

  LiveLoad load() {
    return load;
  }

  /// Ends the load, after the requests that were sent.
  void finish() throws InterruptedException {
    load.finish();
  }

  private Totals totals() {
    return load.totals().getFirst();
  }

  /// What its clients saw, when the load has ended.
  ///
  /// @param ofStore promises that the whole store has broken
  FailureRow row(FailureRow.Cell cell, long wholeMillis, List<String> ofStore)
      throws IOException, InterruptedException {
    Totals totals = totals();
    var broken = new ArrayList<>(ofStore);
    String wrong = FaultWatch.broken(List.of(totals));
    if (!wrong.isEmpty()) {
      broken.add(wrong);
    }
    long failed = failed(totals, "");
    long notDone = failed(totals, "status 503");
    if (observed.gapMillis() > ANSWERED_WITHIN.toMillis()) {
      broken.add("no correct response in the last " + observed.gapMillis() + " ms");
    } else if (function.number() != null) {
      long done = number() - first - 1;
      long unknown = failed - notDone + unanswered;
      if (done < totals.correct() || done > totals.correct() + unknown) {
        broken.add(
            totals.correct() + " acknowledged, " + unknown + " unknown, but " + done + " done");
      }
    }
    long late = failed(totals, "status 504");
    long lost = failed(totals, "no response");
    return new FailureRow(
        cell.repetition(),
        cell.pairs(),
        cell.failure(),
        function.name(),
        Math.round(window.getMean()),
        window.getValueAtPercentile(99),
        observed.longestGapMillis(),
        totals.correct(),
        notDone,
        late,
        lost,
        failed - notDone - late - lost,
        wholeMillis,
        String.join("; ", broken));
  }

  private static long failed(Totals totals, String what) {
    return totals.failed().entrySet().stream()
        .filter(it -> it.getKey().contains(what))
        .mapToLong(it -> it.getValue())
        .sum();
  }

  /// The number of a call that is made now; 0 if the function has none. Numbers have no gap, so two
  /// of them say how many calls were done in between.
  private long number() throws IOException, InterruptedException {
    for (int attempt = 1; function.number() != null; attempt++) {
      try {
        return calls.answer().at(function.number()).asLong();
      } catch (IOException busy) {
        if (attempt == TRIES) {
          throw busy;
        }
        unanswered++;
        Thread.sleep(RETRY_MILLIS);
      }
    }
    return 0;
  }

  @Override
  public void close() {
    load.close();
  }
}
