package toystore.lab.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
    return condition.isEmpty()
        ? String.format(Locale.ROOT, "%s/%d/%s", subject, clients, kind)
        : String.format(Locale.ROOT, "%s/%s/%d/%s", subject, condition, clients, kind);
  }
}
