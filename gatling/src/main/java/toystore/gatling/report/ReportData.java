package toystore.gatling.report;

import java.util.List;
import java.util.Optional;
import toystore.gatling.result.Cell;

/// The data of a report.
record ReportData(RunByCell measured, PublishedResults published, Resolution resolution) {

  /// Empty if no repetition has both cells.
  Optional<Ratio> ratio(Cell above, Cell below) {
    return ratio(List.of(above), List.of(below));
  }

  Optional<Ratio> ratio(List<Cell> above, List<Cell> below) {
    var contrast = new Contrast(measured, above, below);
    return contrast.isMeasured()
        ? Optional.of(new Ratio(contrast.estimate(), resolves(above, below)))
        : Optional.empty();
  }

  // each ratio in a ratio of ratios has its own noise
  private double resolves(List<Cell> above, List<Cell> below) {
    double resolves = 1;
    for (int i = 0; i < above.size(); i++) {
      resolves *= resolution.of(above.get(i).kind(), below.get(i).kind());
    }
    return resolves;
  }
}
