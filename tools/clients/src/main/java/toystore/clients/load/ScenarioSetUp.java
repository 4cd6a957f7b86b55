package toystore.clients.load;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import toystore.clients.load.Scenario.SetUpStep;

/// Calls the set-up of a scenario, such as registering users, and keeps values of the responses.
public final class ScenarioSetUp {
  private static final int CALLS_AT_A_TIME = 4;
  private static final int TRIES = 30;
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private ScenarioSetUp() {}

  /// The scenario with the kept values. `{run}` is a number of nine digits, random in each set-up.
  /// A step is called if a kind, or a later step that is called, uses a value that it keeps; a step
  /// that keeps nothing if any other is.
  ///
  /// @param clients the number of calls of a step for each client
  /// @throws UnexpectedResponseException if a response was wrong; while the server is busy, it is
  ///   asked again
  public static Scenario call(URI url, Scenario scenario, List<String> kinds, int clients)
      throws IOException, InterruptedException {
    List<SetUpStep> steps = needed(url.getScheme(), scenario, kinds);
    if (steps.isEmpty()) {
      return scenario;
    }
    int run = ThreadLocalRandom.current().nextInt(100_000_000, 1_000_000_000);
    Scenario prepared = scenario.with("run", List.of(Integer.toString(run)));
    for (SetUpStep step : steps) {
      var source = new CallSource(url, prepared, step.kind());
      prepared = prepared.with(call(step, source, step.perClient() ? clients : step.times()));
    }
    return prepared;
  }

  private static List<SetUpStep> needed(String scheme, Scenario scenario, List<String> kinds) {
    var used = new HashSet<String>();
    kinds.forEach(it -> used.addAll(scenario.variables(scheme, it)));
    var steps = new ArrayList<SetUpStep>();
    for (SetUpStep step : scenario.setUp().reversed()) {
      boolean keepsNothing = step.keep().isEmpty();
      if (keepsNothing || !Collections.disjoint(used, step.keep().keySet())) {
        steps.addFirst(step);
        used.addAll(keepsNothing ? List.of() : scenario.variables(scheme, step.kind()));
      }
    }
    return steps.stream().allMatch(it -> it.keep().isEmpty()) ? List.of() : steps;
  }

  private static Map<String, List<String>> call(SetUpStep step, CallSource source, int times)
      throws IOException, InterruptedException {
    var calls = new ArrayList<Callable<Map<String, String>>>();
    for (int i = 0; i < times; i++) {
      int client = i;
      calls.add(() -> kept(step, source, client));
    }
    var kept = new HashMap<String, List<String>>();
    try (var threads = Executors.newFixedThreadPool(CALLS_AT_A_TIME)) {
      for (Future<Map<String, String>> answer : threads.invokeAll(calls)) {
        answer
            .get()
            .forEach(
                (name, value) -> kept.computeIfAbsent(name, _ -> new ArrayList<>()).add(value));
      }
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof IOException why) {
        throw why;
      }
      throw new IllegalStateException(failed.getCause());
    }
    return kept;
  }

  private static Map<String, String> kept(SetUpStep step, CallSource source, int client)
      throws IOException, InterruptedException {
    CallSource.Call call = source.next(client, new SplittableRandom(client));
    LoadConnection.Response response = response(source, call);
    for (int attempt = 1; isBusy(response) && attempt < TRIES; attempt++) {
      Thread.sleep(PAUSE);
      response = response(source, call);
    }
    source.requireCorrect(call, response);
    return source.kept(step.keep(), call, response);
  }

  private static boolean isBusy(LoadConnection.Response response) {
    return response.status() == 503 || response.status() == 429;
  }

  private static LoadConnection.Response response(CallSource source, CallSource.Call call)
      throws IOException {
    try (LoadConnection connection = source.open()) {
      return connection.send(call);
    }
  }
}
