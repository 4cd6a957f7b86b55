package toystore.gatling;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import toystore.gatling.result.ChartDefinition;

/// The definition of an experiment.
///
/// @param name on the command line, such as `query-vs-buy`
/// @param question that the experiment answers
/// @param published the experiment's name in published.csv; empty: there are no published figures
/// @param targets names of the subjects if the experiment measures a running store; empty: the
///   experiment starts the stores that it compares
/// @param kinds of calls that Gatling makes, in the order of the reports
/// @param charts to draw; empty: one per kind of call, with one line per subject
public record ExperimentDesign(
    String name,
    String title,
    String question,
    String published,
    List<String> targets,
    List<CallKind> kinds,
    Effort full,
    Effort quick,
    List<ChartDefinition> charts) {

  /// With one chart per kind of call.
  public ExperimentDesign(
      String name,
      String title,
      String question,
      String published,
      List<String> targets,
      List<CallKind> kinds,
      Effort full,
      Effort quick) {
    this(name, title, question, published, targets, kinds, full, quick, List.of());
  }

  /// The amount of measuring.
  ///
  /// @param clients numbers of concurrent clients, one cell each
  /// @param calls by kind: the calls of each client in a repetition
  /// @param callsWithParts calls of one client, after the timed calls, that request the times of
  ///   their parts
  /// @param warmUp calls in a window, see [SteadyStateDetector]
  public record Effort(
      int repetitions,
      ClientCounts clients,
      Map<String, Integer> calls,
      int callsWithParts,
      int warmUp) {
    int calls(CallKind kind) {
      return Objects.requireNonNull(calls.get(kind.label()), kind.label());
    }
  }

  /// @param settings may override the number of clients, calls or repetitions
  public Effort effort(LabSettings settings) {
    Effort usual = settings.quick() ? quick : full;
    var calls = new TreeMap<>(usual.calls);
    calls.putAll(settings.calls());
    return new Effort(
        settings.repetitions().orElse(usual.repetitions),
        settings.clients().orElse(usual.clients),
        calls,
        Math.min(usual.callsWithParts, Collections.min(calls.values())),
        settings.warmUp().orElse(usual.warmUp));
  }

  /// Whether it can measure a store that is already running.
  boolean acceptsExistingStore() {
    return !targets.isEmpty();
  }
}
