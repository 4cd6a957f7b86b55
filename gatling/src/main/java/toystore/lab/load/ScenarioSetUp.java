package toystore.lab.load;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/// Calls the set-up of a scenario, such as registering users, and keeps values of the responses.
final class ScenarioSetUp {
  private ScenarioSetUp() {}

  /// The scenario with the kept values. `{run}` is different in each set-up.
  ///
  /// @param kinds that are called; if they use no kept value, nothing is set up
  /// @throws IOException with the response that was wrong
  static Scenario call(URI url, Scenario scenario, List<String> kinds) throws IOException {
    if (kinds.stream().noneMatch(it -> scenario.usesSetUp(url.getScheme(), it))) {
      return scenario;
    }
    Scenario prepared = scenario.with("run", List.of(Long.toHexString(System.nanoTime())));
    try (LoadConnection connection = LoadConnection.open(url)) {
      for (Scenario.SetUpStep step : scenario.setUp()) {
        List<JsonNode> responses =
            responses(step, new CallSource(url, prepared, step.kind()), connection);
        for (Map.Entry<String, String> value : step.keep().entrySet()) {
          prepared =
              prepared.with(
                  value.getKey(),
                  responses.stream().map(it -> it.at(value.getValue()).asText()).toList());
        }
      }
    }
    return prepared;
  }

  private static List<JsonNode> responses(
      Scenario.SetUpStep step, CallSource source, LoadConnection connection) throws IOException {
    var responses = new ArrayList<JsonNode>();
    for (int client = 0; client < step.times(); client++) {
      CallSource.Call call = source.next(client, new SplittableRandom(client), false);
      LoadConnection.Response response = connection.send(call);
      String fault = source.fault(call, response);
      if (fault != null) {
        throw new IOException("set-up: %s: %s".formatted(call.path(), fault));
      }
      responses.add(Scenario.json(response.text()));
    }
    return responses;
  }
}
