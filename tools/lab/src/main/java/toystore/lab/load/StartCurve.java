package toystore.lab.load;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import toystore.clients.load.CallRecorder;
import toystore.clients.load.CallSource;
import toystore.clients.load.LoadConnection;
import toystore.clients.load.Scenario;
import toystore.clients.load.Verdict;

/// A load client for the start of a store: 16 clients that buy from the moment at which the port
/// answers, for 30 s. It writes a row of the phase `start` for each second since `up` was typed;
/// its repetition is that second, from 1. Refused connections and errors are no calls.
public final class StartCurve {
  /// The condition with which the start begins.
  public static final String TYPED = "typed";

  public static final String KIND = "buy";
  private static final int CLIENTS = 16;
  private static final int SECONDS = 30;
  private static final int RETRY_MILLIS = 20;

  private final CallSource buys;
  private final long begin = System.nanoTime();
  private final List<CallRecorder> seconds =
      Stream.generate(CallRecorder::new).limit(SECONDS).toList();

  private StartCurve(URI url, Scenario scenario) {
    this.buys = new CallSource(url, scenario, KIND);
  }

  /// @param args the file of the [StartPlan] and the file to write
  public static void main(String[] args)
      throws IOException, InterruptedException, ExecutionException {
    StartPlan plan = StartPlan.read(Path.of(args[0]));
    Scenario scenario = plan.requests();
    var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    try (var rows = new CellRows(plan, Path.of(args[1]))) {
      rows.begin();
      System.out.println("condition " + TYPED);
      var curve = new StartCurve(URI.create(in.readLine()), scenario);
      curve.run(plan.seed());
      for (int second = 0; second < SECONDS; second++) {
        var place = new CellRows.Place("start", KIND, CLIENTS, "", 0, second + 1);
        rows.end(place, 1, curve.seconds.get(second));
      }
    }
  }

  private void run(long seed) throws InterruptedException, ExecutionException {
    var random = new SplittableRandom(seed);
    var clients = new ArrayList<Callable<Integer>>();
    for (int i = 0; i < CLIENTS; i++) {
      SplittableRandom own = random.split();
      clients.add(() -> buyUntilEnd(own));
    }
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<?> client : threads.invokeAll(clients)) {
        client.get();
      }
    }
  }

  /// @return the second in which it ended
  private int buyUntilEnd(SplittableRandom random) throws InterruptedException {
    while (second() < SECONDS) {
      try (LoadConnection connection = buys.open()) {
        while (second() < SECONDS && !connection.isEnded()) {
          buy(connection, random);
        }
      } catch (IOException refused) {
        Thread.sleep(RETRY_MILLIS);
      }
    }
    return second();
  }

  private void buy(LoadConnection connection, SplittableRandom random) throws IOException {
    CallSource.Call call = buys.next(0, random);
    long sent = System.nanoTime();
    Verdict verdict = buys.verdict(call, connection.send(call), false);
    int second = second();
    if (verdict instanceof Verdict.Correct && second < SECONDS) {
      seconds.get(second).add(verdict, System.nanoTime() - sent);
    }
  }

  private int second() {
    return (int) ((System.nanoTime() - begin) / 1_000_000_000);
  }
}
