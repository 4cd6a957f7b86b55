package toystore.gatling.report;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Ratios of latencies, and times of operations. For ids, see [ReportedValueResolver].
record RatioResolver(ReportedValueResolver figures, Resolution resolution) {
  ReportedValue find(String[] words) {
    return switch (words[0]) {
      case "ratio" -> ReportedValue.of(ratio(words[1], words[2]));
      case "growth" -> ReportedValue.of(ratio(words[1], withClients(words[1], words[2])));
      case "growths" -> ReportedValue.of(growths(words[1], words[2], words[3]));
      case "operation" -> operation(words[1]);
      case "operations" -> ReportedValue.of(operations(words[1], words[2]));
      case "resolution" -> resolution(words[1]);
      default -> throw ReportedValueResolver.wrong(String.join(" ", words), "a ratio");
    };
  }

  private Ratio ratio(String above, String below) {
    ReportedValueResolver.RunCell a = figures.runCell(above);
    ReportedValueResolver.RunCell b = figures.runCell(below);
    return a.measured() == b.measured()
        ? evidence(a)
            .ratio(a.cell(), b.cell())
            .orElseThrow(() ->
                new NotMeasuredException("a repetition with " + above + " and " + below, "none"))
        : new Ratio(
            Estimate.ofUnpaired(
                a.measured().means(a.cell()).values(), b.measured().means(b.cell()).values()),
            resolution
                .appliedTo(a.measured().run())
                .appliedTo(b.measured().run())
                .of(a.cell().kind(), b.cell().kind()));
  }

  private Ratio growths(String above, String below, String clients) {
    ReportedValueResolver.RunCell a = figures.runCell(above);
    ReportedValueResolver.RunCell b = figures.runCell(below);
    if (a.measured() != b.measured()) {
      throw ReportedValueResolver.wrong(above + " " + below, "cells of one run");
    }
    return evidence(a)
        .ratio(
            List.of(a.cell(), figures.runCell(withClients(below, clients)).cell()),
            List.of(figures.runCell(withClients(above, clients)).cell(), b.cell()))
        .orElseThrow(() ->
            new NotMeasuredException(
                "a repetition with all of " + above + " and " + below, "none"));
  }

  private ReportedValue operation(String id) {
    double nanos = Estimate.ofMean(nanos(id).values()).value();
    return ReportedValue.number(Numbers.number(nanos) + " ns", nanos);
  }

  private Ratio operations(String above, String below) {
    var ratios = new TreeMap<>(nanos(above));
    Map<Integer, Double> divisors = nanos(below);
    ratios.keySet().retainAll(divisors.keySet());
    ratios.replaceAll((repetition, nanos) -> nanos / divisors.getOrDefault(repetition, Double.NaN));
    return new Ratio(Estimate.ofRatios(ratios.values()), 1);
  }

  /// Times in ns, by repetition.
  private Map<Integer, Double> nanos(String id) {
    ReportedValueResolver.RunCell runCell = figures.runCell(id);
    Map<Integer, Double> nanos = runCell.measured().observed(runCell.cell(), "operation");
    if (nanos.isEmpty()) {
      throw new NotMeasuredException("an operation of " + id, "none");
    }
    return nanos;
  }

  private ReportData evidence(ReportedValueResolver.RunCell runCell) {
    return new ReportData(
        runCell.measured(), PublishedResults.NONE, resolution.appliedTo(runCell.measured().run()));
  }

  private static String withClients(String id, String clients) {
    String[] parts = id.split("/");
    if (parts.length != 4) {
      throw ReportedValueResolver.wrong(id, "EXPERIMENT/SUBJECT/CLIENTS/KIND");
    }
    return String.join("/", parts[0], parts[1], clients, parts[3]);
  }

  private ReportedValue resolution(String kind) {
    if (!resolution.byKind().containsKey(kind)) {
      throw new NotMeasuredException("resolution of " + kind, resolution.byKind().keySet());
    }
    return ReportedValue.number(Numbers.times(resolution.of(kind)), resolution.of(kind));
  }
}
