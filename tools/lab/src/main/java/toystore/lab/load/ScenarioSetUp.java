package toystore.lab.load;

import static java.util.stream.Collectors.toSet;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;

/// Calls the set-up of a scenario, such as registering users, and keeps values of the responses.
final class ScenarioSetUp {
  private ScenarioSetUp() {}

  /// The scenario with the kept values. `{run}` is different in each set-up. Only the steps of
  /// protocols that the kinds use are called.
  ///
  /// @param kinds that are called; if they use no kept value, nothing is set up
  /// @throws IOException with the response that was wrong
  static Scenario call(URI url, Scenario scenario, List<String> kinds) throws IOException {
    if (kinds.stream().noneMatch(it -> scenario.usesSetUp(url.getScheme(), it))) {
      return scenario;
    }
    Scenario prepared = scenario.with("run", List.of(Long.toHexString(System.nanoTime())));
    Set<String> schemes = kinds.stream().map(it -> scheme(url, scenario, it)).collect(toSet());
    for (Scenario.SetUpStep step : scenario.setUp()) {
      if (schemes.contains(scheme(url, scenario, step.kind()))) {
        var kept = new TreeMap<String, List<String>>();
        call(step, new CallSource(url, prepared, step.kind()), kept);
        for (Map.Entry<String, List<String>> value : kept.entrySet()) {
          prepared = prepared.with(value.getKey(), value.getValue());
        }
      }
    }
    return prepared;
  }

  private static String scheme(URI url, Scenario scenario, String kind) {
    String own = scenario.kind(url.getScheme(), kind).url();
    return own == null ? url.getScheme() : own.substring(0, own.indexOf(':'));
  }

  private static void call(
      Scenario.SetUpStep step, CallSource source, Map<String, List<String>> kept)
      throws IOException {
    try (LoadConnection connection = LoadConnection.open(source.url())) {
      for (int client = 0; client < step.times(); client++) {
        CallSource.Call call = source.next(client, new SplittableRandom(client), false);
        LoadConnection.Response response = connection.send(call);
        String fault = source.fault(call, response);
        if (fault != null) {
          throw new IOException(String.format(Locale.ROOT, "set-up: %s: %s", call.path(), fault));
        }
        for (Map.Entry<String, String> value : step.keep().entrySet()) {
          kept.computeIfAbsent(value.getKey(), _ -> new ArrayList<>())
              .add(kept(value.getValue(), call, response));
        }
      }
    }
  }

  private static String kept(String value, CallSource.Call call, LoadConnection.Response response)
      throws IOException {
    return value.startsWith("/")
        ? Scenario.json(response.text()).at(value).asText()
        : CallSource.filled(value, call.chosen(), CallSource.AS_IS);
  }
}
