package toystore.lab.run;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import toystore.lab.run.FailureRow.Cell;

/// What a [FailureRun] kills, and what its clients do meanwhile: `experiments/failures.json`.
///
/// @param repetitions unless others are asked for
/// @param pairs numbers of pairs of a seller and a buyer
/// @param kills what is killed (SIGKILL), by the name of the failure: a process, the active one of
///   a service, `standby of` a service, `postgresql` for its primary; empty: nothing
/// @param warmUpSeconds of a started store
/// @param beforeSeconds time of a load before the failure
/// @param windowSeconds time after it whose latencies are reported
public record FailurePlan(
    int repetitions,
    List<Integer> pairs,
    LinkedHashMap<String, String> kills,
    List<ClientFunction> functions,
    int warmUpSeconds,
    int beforeSeconds,
    int windowSeconds,
    long seed) {
  /// What clients do. Each client has one function.
  ///
  /// @param kind its name in the scenario of the store
  /// @param number a JSON pointer to the number that counts what was done; null: there is none
  /// @param perPair whether each pair has a client of it, as its seller; the buyers divide the
  ///   other functions among them, and each has one client at least
  public record ClientFunction(
      String name, String kind, @Nullable String number, boolean perPair) {}

  /// The same plan with one failure and one number of pairs, each phase as short as possible.
  public FailurePlan only(int number, String failure) {
    var kill = new LinkedHashMap<>(Map.of(failure, kills.getOrDefault(failure, "")));
    return new FailurePlan(1, List.of(number), kill, functions, 0, 1, 2, seed);
  }

  /// The number of clients of a function.
  int clients(ClientFunction function, int ofPairs) {
    return function.perPair ? ofPairs : Math.ceilDiv(ofPairs, functions.size() - 1);
  }

  /// In random order.
  List<Cell> cells(int repetition) {
    var cells = new ArrayList<Cell>();
    pairs.forEach(
        number -> kills.keySet().forEach(it -> cells.add(new Cell(repetition, number, it))));
    Collections.shuffle(cells, new Random(seed + repetition));
    return cells;
  }
}
