package toystore.gatling.report;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import toystore.gatling.result.Cell;

/// How small a ratio this machine can tell from none: the same store was measured as two, and the
/// end of that ratio's interval that is farther from 1 is what chance alone may show.
///
/// @param byKind at least 1, the widest over numbers of clients; empty where nothing is known
record Resolution(Map<String, Double> byKind) {
  static final Resolution UNKNOWN = new Resolution(Map.of());

  Resolution {
    var rounded = new TreeMap<String, Double>(); // up, to what is printed
    byKind.forEach((kind, ratio) -> rounded.put(kind, Math.ceil(ratio * 100 - 1e-9) / 100));
    byKind = Collections.unmodifiableMap(rounded);
  }

  /// A noise run with one repetition tells nothing.
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
    return new Resolution(byKind);
  }

  /// What a report says of it, with a line break.
  String note() {
    String how =
        "Ratios are geometric means of the repetitions' ratios, so a last digit may differ from the quotient of two means. ";
    if (!isKnown()) {
      return how
          + "The resolution of this machine is unknown (there is no noise run), so only the intervals decide.\n";
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

  /// For a ratio of these kinds: the coarser one's; 1 where it is not known.
  double of(String... kinds) {
    double coarsest = 1;
    for (String kind : kinds) {
      coarsest = Math.max(coarsest, byKind.getOrDefault(kind, 1.0));
    }
    return coarsest;
  }
}
