package toystore.gatling;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import toystore.gatling.result.Chart;

/// What an experiment is, before it runs.
///
/// @param name as people type it, such as `query-vs-buy`
/// @param question what it answers
/// @param published the experiment's name in published.csv; empty: nobody published one
/// @param targets what a store that runs elsewhere is called as a subject, once for each time it is
///   one; empty: the experiment compares stores that it starts itself
/// @param kinds of calls that Gatling makes, in the order in which they are told
/// @param charts to be drawn; empty: one a kind of call, with a line a subject
public record ExperimentDesign(
    String name,
    String title,
    String question,
    String published,
    List<String> targets,
    List<CallKind> kinds,
    Effort full,
    Effort quick,
    List<Chart> charts) {

  /// With a chart a kind of call.
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

  /// How much is measured.
  ///
  /// @param clients how many at once, each a cell of its own
  /// @param calls of each kind by each client in a repetition
  /// @param callsWithParts calls of one client, beside the others, that ask the store what their
  ///   parts took
  /// @param warmUp calls in a window, see [WarmUp]
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

  /// @param settings may ask for another number of clients, calls or repetitions
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

  /// Whether it can measure a store that runs elsewhere.
  boolean acceptsExistingStore() {
    return !targets.isEmpty();
  }
}
