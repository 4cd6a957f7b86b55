package toystore.gatling.report;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import toystore.gatling.result.Cell;
import toystore.gatling.result.RunFolder;

/// The smallest ratio that this machine can distinguish from 1. It is measured by comparing a store
/// with itself: the bound of that ratio's interval that is farther from 1 may still be due to
/// chance. It applies to runs on that machine only.
///
/// @param byKind at least 1, the largest over all numbers of clients; empty if unknown
/// @param machine processor, cores and kernel, as in about.properties
record Resolution(Map<String, Double> byKind, String machine) {
  static final Resolution UNKNOWN = new Resolution(Map.of(), "");

  Resolution {
    var rounded = new TreeMap<String, Double>(); // up, to the printed digits
    byKind.forEach((kind, ratio) -> rounded.put(kind, Math.ceil(ratio * 100 - 1e-9) / 100));
    byKind = Collections.unmodifiableMap(rounded);
  }

  /// Computes the resolution from a noise run; unknown after a single repetition.
  static Resolution of(RunByCell noise) {
    var byKind = new TreeMap<String, Double>();
    for (Cell cell : noise.cells()) {
      noise
          .against(cell.subject())
          .map(first -> Contrast.of(noise, cell, new Cell(first, cell.clients(), cell.kind())))
          .filter(Contrast::isMeasured)
          .map(Contrast::estimate)
          .filter(Estimate::isKnown)
          .ifPresent(ratio ->
              byKind.merge(cell.kind(), Math.max(ratio.high(), 1 / ratio.low()), Math::max));
    }
    return new Resolution(byKind, machine(noise.run()));
  }

  /// This resolution if the run was measured on the same machine; otherwise it is unknown.
  Resolution appliedTo(RunFolder run) {
    return machine(run).equals(machine) ? this : UNKNOWN;
  }

  private static String machine(RunFolder run) {
    return String.join(", ", run.about("cpu"), run.about("cores"), run.about("os"));
  }

  /// The text for a report, with a line break.
  String note() {
    String how =
        "Ratios are geometric means of the repetitions' ratios, so a last digit may differ from the quotient of two means. ";
    if (!isKnown()) {
      return how
          + "The resolution of this machine is unknown (there is no noise run of the same machine), so only the intervals decide.\n";
    }
    return how
        + "Two measurements of the same store differ on this machine by up to %s; a smaller ratio counts as no detectable difference.\n"
            .formatted(
                byKind.entrySet().stream()
                    .map(it -> "%s (`%s`)".formatted(Numbers.times(it.getValue()), it.getKey()))
                    .collect(Collectors.joining(", ")));
  }

  boolean isKnown() {
    return !byKind.isEmpty();
  }

  /// For a ratio of these kinds: the largest of theirs; 1 if unknown.
  double of(String... kinds) {
    double coarsest = 1;
    for (String kind : kinds) {
      coarsest = Math.max(coarsest, byKind.getOrDefault(kind, 1.0));
    }
    return coarsest;
  }
}
