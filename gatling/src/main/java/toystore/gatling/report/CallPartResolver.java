package toystore.gatling.report;

import java.util.List;

/// Figures of the parts of a call. For ids, see [ReportedValueResolver].
record CallPartResolver(ReportedValueResolver figures) {
  private static final double HALF = 0.5;

  ReportedValue find(String[] words) {
    return switch (words[0]) {
      case "part" -> part(words);
      case "share" -> share(words);
      case "largest-part" -> largest(parts(words[1]));
      case "carrier" -> carrier(words);
      case "extra" -> {
        Estimate millis = gap(words).millis(names(words[3]));
        yield ReportedValue.of(Numbers.millis(millis), millis, 0);
      }
      case "extra-share" -> {
        Estimate share = gap(words).share(names(words[3]));
        yield ReportedValue.of(Numbers.percent(share), share, HALF);
      }
      default -> throw ReportedValueResolver.wrong(String.join(" ", words), "a figure of parts");
    };
  }

  private ReportedValue part(String[] words) {
    Estimate millis = parts(words[1]).millis(known(words[1], words[2]));
    return ReportedValue.of(Numbers.millis(millis), millis, 0);
  }

  private ReportedValue share(String[] words) {
    Estimate share = parts(words[1]).share(known(words[1], words[2]));
    return ReportedValue.of(Numbers.percent(share), share, HALF);
  }

  private ReportedValue carrier(String[] words) {
    CallParts.Gap gap = gap(words);
    return ReportedValue.text(
        gap.carrier()
            .map(it ->
                "%s, the largest share (%s)"
                    .formatted(it, Numbers.percent(gap.share(List.of(it)).value())))
            .orElse("no part that detectably differs"));
  }

  private static ReportedValue largest(CallParts parts) {
    List<String> names =
        parts.largest().stream()
            .map(it -> "%s (%s)".formatted(it, Numbers.percent(parts.share(it).value())))
            .toList();
    return ReportedValue.text(
        names.size() == 1
            ? names.getFirst()
            : Phrases.list(names) + "; which of them is the largest cannot be determined");
  }

  private List<String> known(String cell, String names) {
    for (String name : names(names)) {
      if (parts(cell).repetitions(name).isEmpty()) {
        throw new NotMeasuredException("part " + name + " of " + cell, parts(cell).names());
      }
    }
    return names(names);
  }

  private static List<String> names(String names) {
    return List.of(names.split("\\+"));
  }

  private CallParts.Gap gap(String[] words) {
    CallParts more = parts(words[1]);
    CallParts less = parts(words[2]);
    var gap = new CallParts.Gap(more, less);
    if (!gap.isMeasured()) {
      throw new NotMeasuredException(
          "a repetition with parts of " + words[1] + " and " + words[2], "none");
    }
    for (String name : words.length > 3 ? names(words[3]) : List.<String>of()) {
      if (more.repetitions(name).isEmpty() && less.repetitions(name).isEmpty()) {
        throw new NotMeasuredException(
            "part " + name + " of " + words[1] + " or " + words[2], gap.parts());
      }
    }
    return gap;
  }

  private CallParts parts(String id) {
    ReportedValueResolver.RunCell runCell = figures.runCell(id);
    var parts = new CallParts(runCell.measured(), runCell.cell());
    if (!parts.isMeasured()) {
      throw new NotMeasuredException("parts of " + id, "none");
    }
    return parts;
  }
}
