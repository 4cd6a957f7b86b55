package toystore.gatling.report;

import java.util.List;

/// Figures that are ratios of latencies. Ids: see [Figures].
record RatioFigures(Figures figures, Resolution resolution) {
  Figure find(String[] words) {
    return switch (words[0]) {
      case "ratio" -> Figure.of(ratio(words[1], words[2]));
      case "growth" -> Figure.of(ratio(words[1], withClients(words[1], words[2])));
      case "growths" -> Figure.of(growths(words[1], words[2], words[3]));
      case "resolution" -> resolution(words[1]);
      default -> throw Figures.wrong(String.join(" ", words), "a ratio");
    };
  }

  private Ratio ratio(String above, String below) {
    Figures.Place a = figures.place(above);
    Figures.Place b = figures.place(below);
    double resolves = resolution.of(a.cell().kind(), b.cell().kind());
    return a.measured() == b.measured()
        ? evidence(a)
            .ratio(a.cell(), b.cell())
            .orElseThrow(
                () -> new NotMeasured("a repetition with " + above + " and " + below, "none"))
        : new Ratio(
            Estimate.ofUnpaired(
                a.measured().means(a.cell()).values(), b.measured().means(b.cell()).values()),
            resolves);
  }

  private Ratio growths(String above, String below, String clients) {
    Figures.Place a = figures.place(above);
    Figures.Place b = figures.place(below);
    if (a.measured() != b.measured()) {
      throw Figures.wrong(above + " " + below, "cells of one run");
    }
    return evidence(a)
        .ratio(
            List.of(a.cell(), figures.place(withClients(below, clients)).cell()),
            List.of(figures.place(withClients(above, clients)).cell(), b.cell()))
        .orElseThrow(
            () -> new NotMeasured("a repetition with all of " + above + " and " + below, "none"));
  }

  private Evidence evidence(Figures.Place place) {
    return new Evidence(place.measured(), Published.NONE, resolution);
  }

  private static String withClients(String id, String clients) {
    String[] parts = id.split("/");
    if (parts.length != 4) {
      throw Figures.wrong(id, "EXPERIMENT/SUBJECT/CLIENTS/KIND");
    }
    return String.join("/", parts[0], parts[1], clients, parts[3]);
  }

  private Figure resolution(String kind) {
    if (!resolution.byKind().containsKey(kind)) {
      throw new NotMeasured("resolution of " + kind, resolution.byKind().keySet());
    }
    return Figure.number(Numbers.times(resolution.of(kind)), resolution.of(kind));
  }
}
