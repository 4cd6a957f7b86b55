package toystore.lab.run;

import java.util.ArrayList;
import java.util.List;
import toystore.lab.run.ExperimentPlan.PlannedContrast;

/// A cell of an experiment.
///
/// @param condition what was switched at run time; empty: nothing
public record CellKey(String subject, String condition, int clients, String kind) {
  /// @param text `SUBJECT/CLIENTS/KIND` or `SUBJECT/CONDITION/CLIENTS/KIND`
  /// @throws IllegalArgumentException with what was expected
  static CellKey parse(String text) {
    String[] fields = text.split("/");
    try {
      return switch (fields.length) {
        case 3 -> new CellKey(fields[0], "", Integer.parseInt(fields[1]), fields[2]);
        case 4 -> new CellKey(fields[0], fields[1], Integer.parseInt(fields[2]), fields[3]);
        default -> throw new NumberFormatException();
      };
    } catch (NumberFormatException _) {
      throw new IllegalArgumentException(
          "expected SUBJECT/CLIENTS/KIND or SUBJECT/CONDITION/CLIENTS/KIND, got " + text);
    }
  }

  public static List<CellKey> all(List<String> texts) {
    return texts.stream().map(CellKey::parse).toList();
  }

  /// All cells of a contrast.
  public static List<CellKey> all(PlannedContrast contrast) {
    var cells = new ArrayList<CellKey>(all(contrast.of()));
    cells.addAll(all(contrast.to()));
    return cells;
  }

  @Override
  public String toString() {
    String place = condition.isEmpty() ? subject : subject + "/" + condition;
    return place + "/" + clients + "/" + kind;
  }
}
