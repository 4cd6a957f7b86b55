package toystore.lab.run;

import java.util.List;
import toystore.lab.load.StartPlan;

/// What an experiment measures and which questions it answers, fixed before it runs.
///
/// @param name such as `query-vs-buy`
/// @param question in one sentence
/// @param published its name in published.csv; empty: none
/// @param baseline name of the subject that is started twice in each block
/// @param subjects names, the baseline first
/// @param kinds kinds of requests, in the order of the published pass
/// @param clients numbers of clients, ascending
/// @param coldPass the published pass
/// @param warmUpSeconds of mixed load; set by a pilot run
/// @param repetitions measurements of each cell in a start
/// @param blocks number of blocks
/// @param contrasts at most six; all other figures are exploratory
/// @param openShares rates of the open loop, as shares of the closed loop's highest rate
/// @param maxSteal share of CPU time taken by other virtual machines above which a block is run
///   again
/// @param seed of the order of starts and cells, and of the requests
public record ExperimentPlan(
    String name,
    String title,
    String question,
    String published,
    String baseline,
    List<String> subjects,
    List<String> kinds,
    List<Integer> clients,
    List<StartPlan.ColdCell> coldPass,
    double warmUpSeconds,
    int warmUpClients,
    int repetitions,
    int settlingMillis,
    int measuringMillis,
    int blocks,
    List<PlannedContrast> contrasts,
    List<Double> openShares,
    List<String> openKinds,
    int traceEvery,
    double maxSteal,
    long seed) {
  private static final int MAX_CONTRASTS = 6;

  /// A comparison: the product of the mean latencies of the cells `of` ÷ the product of those of
  /// `to`. Two and two compare growths.
  ///
  /// @param of cells, each SUBJECT/CLIENTS/KIND
  public record PlannedContrast(String name, List<String> of, List<String> to) {}

  public ExperimentPlan {
    if (contrasts.size() > MAX_CONTRASTS) {
      throw new IllegalArgumentException(
          "%s: expected at most %d contrasts, got %d"
              .formatted(name, MAX_CONTRASTS, contrasts.size()));
    }
    if (!subjects.contains(baseline)) {
      throw new IllegalArgumentException(
          "%s: expected the baseline among %s, got %s".formatted(name, subjects, baseline));
    }
  }

  /// The same plan for a first impression: few blocks, short cells.
  ExperimentPlan quick() {
    return new ExperimentPlan(
        name,
        title,
        question,
        published,
        baseline,
        subjects,
        kinds,
        List.of(clients.getFirst(), clients.getLast()),
        List.of(),
        Math.min(warmUpSeconds, 5),
        warmUpClients,
        repetitions,
        200,
        500,
        2,
        contrasts,
        List.of(0.5),
        openKinds,
        traceEvery,
        maxSteal,
        seed);
  }
}
