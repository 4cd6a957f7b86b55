package toystore.gatling.report;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import toystore.gatling.result.Cell;

/// The parts of a call, as reported by the services with each response. They add up to the whole.
record CallParts(RunByCell measured, Cell cell) {
  static final String PREFIX = "part.";
  static final String WHOLE = "whole";
  static final String REST = "the rest";
  // a part reported in addition to the part that contains it
  private static final Map<String, String> INSIDE = Map.of("sync", "commit");

  boolean isMeasured() {
    return !repetitions(WHOLE).isEmpty() && !names().isEmpty();
  }

  /// The parts that add up, the largest first.
  List<String> names() {
    return measured.observedNames(cell, PREFIX).stream()
        .filter(name -> !name.equals(WHOLE) && !INSIDE.containsKey(name))
        .sorted(Comparator.comparingDouble((String name) -> -millis(name).value()))
        .toList();
  }

  /// The separately measured parts inside this part.
  List<String> inside(String part) {
    return measured.observedNames(cell, PREFIX).stream()
        .filter(name -> part.equals(INSIDE.get(name)))
        .toList();
  }

  /// In ms, by repetition; for [#REST], the whole minus all parts. Empty for a part that was not
  /// measured.
  SortedMap<Integer, Double> repetitions(String part) {
    if (part.equals(REST)) {
      return rest();
    }
    var millis = new TreeMap<Integer, Double>();
    measured
        .observed(cell, PREFIX + part)
        .forEach((repetition, micros) -> millis.put(repetition, micros / 1e3));
    return millis;
  }

  private SortedMap<Integer, Double> rest() {
    SortedMap<Integer, Double> rest = repetitions(WHOLE);
    for (String part : measured.observedNames(cell, PREFIX)) {
      if (!part.equals(WHOLE) && !INSIDE.containsKey(part)) {
        repetitions(part)
            .forEach((repetition, millis) ->
                rest.computeIfPresent(repetition, (_, left) -> left - millis));
      }
    }
    return rest;
  }

  Estimate millis(String part) {
    return millis(List.of(part));
  }

  /// The sum of several parts.
  Estimate millis(List<String> parts) {
    return Estimate.ofMean(sums(parts)).notNegative();
  }

  Estimate share(String part) {
    return share(List.of(part));
  }

  /// Of the whole, 0 to 1.
  Estimate share(List<String> parts) {
    return Estimate.ofQuotient(sums(parts), List.copyOf(repetitions(WHOLE).values()));
  }

  // a part missing in a repetition counts as 0
  private List<Double> sums(List<String> parts) {
    return repetitions(WHOLE).keySet().stream().map(repetition -> sum(parts, repetition)).toList();
  }

  private double sum(List<String> parts, int repetition) {
    return parts.stream()
        .mapToDouble(part -> repetitions(part).getOrDefault(repetition, 0.0))
        .sum();
  }

  /// The largest part, or several parts if their order cannot be determined.
  List<String> largest() {
    List<String> names = names();
    return names.stream()
        .filter(name -> name.equals(names.getFirst()) || !isSmaller(name, names.getFirst()))
        .toList();
  }

  private boolean isSmaller(String part, String than) {
    return new Gap(this, this).between(than, part).low() > 0;
  }

  /// The difference between the calls of two cells, part by part and repetition by repetition.
  record Gap(CallParts more, CallParts less) {
    boolean isMeasured() {
      return more.repetitions(WHOLE).keySet().stream()
          .anyMatch(less.repetitions(WHOLE)::containsKey);
    }

    /// In ms. A part that one of them lacks counts as 0.
    Estimate millis(List<String> parts) {
      return Estimate.ofMean(gaps(parts));
    }

    private List<Double> gaps(List<String> parts) {
      return common()
          .map(repetition -> more.sum(parts, repetition) - less.sum(parts, repetition))
          .toList();
    }

    /// Share of the whole difference; without bounds if the whole does not detectably differ.
    Estimate share(List<String> parts) {
      return Estimate.ofQuotient(gaps(parts), gaps(List.of(WHOLE)));
    }

    /// The part with the largest difference in the direction of the whole, if both differences are
    /// detectable.
    Optional<String> carrier() {
      Verdict whole = Verdict.of(millis(List.of(WHOLE)), 0);
      return parts().stream()
          .filter(part -> whole != Verdict.NONE && Verdict.of(millis(List.of(part)), 0) == whole)
          .max(Comparator.comparingDouble(part -> Math.abs(millis(List.of(part)).value())));
    }

    /// The parts of both.
    List<String> parts() {
      return Stream.concat(more.names().stream(), less.names().stream()).distinct().toList();
    }

    private Estimate between(String part, String other) {
      return Estimate.ofMean(
          common()
              .map(repetition ->
                  more.sum(List.of(part), repetition) - less.sum(List.of(other), repetition))
              .toList());
    }

    private Stream<Integer> common() {
      return more.repetitions(WHOLE).keySet().stream().filter(less.repetitions(WHOLE)::containsKey);
    }
  }
}
