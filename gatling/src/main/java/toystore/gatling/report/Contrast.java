package toystore.gatling.report;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import toystore.gatling.result.Cell;

/// A ratio of cells of one run, computed per repetition: the product of the cells `above` divided
/// by the product of those `below`. Two cells are a plain ratio. Four cells are a ratio of ratios,
/// such as whether buys grow faster with clients than queries do.
record Contrast(RunByCell measured, List<Cell> above, List<Cell> below) {
  static Contrast of(RunByCell measured, Cell above, Cell below) {
    return new Contrast(measured, List.of(above), List.of(below));
  }

  boolean isMeasured() {
    return !repetitions().isEmpty();
  }

  /// @throws IllegalArgumentException if no repetition has all cells
  Estimate estimate() {
    return Estimate.ofRatios(repetitions().stream().map(this::ratio).toList());
  }

  private double ratio(int repetition) {
    return product(above, repetition) / product(below, repetition);
  }

  private double product(List<Cell> cells, int repetition) {
    return cells.stream()
        .mapToDouble(cell -> measured.means(cell).getOrDefault(repetition, Double.NaN))
        .reduce(1, (a, b) -> a * b);
  }

  // repetitions that all cells have
  private TreeSet<Integer> repetitions() {
    var all = new ArrayList<>(above);
    all.addAll(below);
    var common = new TreeSet<>(measured.means(all.getFirst()).keySet());
    all.forEach(cell -> common.retainAll(measured.means(cell).keySet()));
    return common;
  }
}
