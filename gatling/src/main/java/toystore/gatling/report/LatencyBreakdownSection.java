package toystore.gatling.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import toystore.gatling.result.Cell;

/// The parts of each call, the largest part, and the part with the largest share of a difference
/// between two calls.
record LatencyBreakdownSection(ReportData evidence) implements Section {
  private static final double VISIBLE = 0.01;

  @Override
  public String heading() {
    return "Where the time of a call goes";
  }

  @Override
  public String text() {
    var text = new StringBuilder();
    for (Cell cell : evidence.measured().cells()) {
      var parts = new CallParts(evidence.measured(), cell);
      if (parts.isMeasured()) {
        text.append(
            "%s, %s:\n\n%s\n"
                .formatted(
                    Phrases.call(cell), Phrases.clients(cell.clients()), grid(parts).markdown()));
      }
    }
    return text.isEmpty()
        ? ""
        : "Measured on calls that asked for `Server-Timing`, so the totals may differ slightly from the means above. The time of a network hop is part of its caller's time.\n\n"
            + text.toString().stripTrailing()
            + "\n"
            + carriers();
  }

  private String carriers() {
    var lines = new StringBuilder();
    for (Cell cell : evidence.measured().cells()) {
      Stream.concat(kind(cell), subject(cell))
          .forEach(other ->
              carrier(cell, other).ifPresent(it -> lines.append("- ").append(it).append('\n')));
    }
    return lines.isEmpty()
        ? ""
        : "\nDetected differences, and the part of a call with the largest share of each:\n\n"
            + lines;
  }

  private static TextTable grid(CallParts parts) {
    var rows = new ArrayList<List<String>>();
    rows.add(row("whole", CallParts.WHOLE, parts));
    for (String part : parts.names()) {
      rows.add(row(part, part, parts));
      parts.inside(part).forEach(inner -> rows.add(row("of which " + inner, inner, parts)));
    }
    if (Math.abs(parts.share(CallParts.REST).value()) > VISIBLE) {
      rows.add(row("unattributed", CallParts.REST, parts));
    }
    return new TextTable(1, List.of("part", "ms", "95 %", "share", "95 %"), rows);
  }

  private static List<String> row(String name, String part, CallParts parts) {
    Estimate millis = parts.millis(part);
    String share = Numbers.percent(parts.share(part));
    int bounds = share.indexOf(" [");
    return List.of(
        name,
        Numbers.number(millis.value()),
        Numbers.interval(millis),
        share.substring(0, bounds),
        part.equals(CallParts.WHOLE) ? "" : share.substring(bounds + 1));
  }

  /// The largest part of each kind on the first subject, and the part with the largest share of
  /// each detected difference.
  @Override
  public List<String> findings() {
    var findings = new ArrayList<String>();
    RunByCell measured = evidence.measured();
    for (Cell cell : measured.cells()) {
      var parts = new CallParts(measured, cell);
      if (parts.isMeasured() && cell.subject().equals(measured.subjects().getFirst())) {
        findings.add(largest(parts));
      }
    }
    for (Cell cell : measured.cells()) {
      Stream<Cell> others =
          SubjectComparison.isFew(measured) ? Stream.concat(kind(cell), subject(cell)) : kind(cell);
      others.forEach(other -> carrier(cell, other).ifPresent(findings::add));
    }
    return findings;
  }

  private static String largest(CallParts parts) {
    List<String> largest = parts.largest();
    String whole =
        "Of `%s` (%s, %s)"
            .formatted(
                parts.cell().kind(),
                Phrases.clients(parts.cell().clients()),
                Numbers.millis(parts.millis(CallParts.WHOLE).value()));
    List<String> told =
        largest.stream()
            .map(it -> "%s, %s".formatted(it, Numbers.percent(parts.share(it))))
            .toList();
    return largest.size() == 1
        ? "%s on `%s` the largest part is %s."
            .formatted(whole, parts.cell().subject(), told.getFirst())
        : "%s on `%s` the largest part is one of these (no detectable difference between them): %s."
            .formatted(whole, parts.cell().subject(), String.join("; ", told));
  }

  // the first kind on the first subject
  private Stream<Cell> kind(Cell cell) {
    RunByCell measured = evidence.measured();
    var first = new Cell(cell.subject(), cell.clients(), measured.kinds().getFirst());
    return cell.subject().equals(measured.subjects().getFirst()) && !first.equals(cell)
        ? Stream.of(first)
        : Stream.empty();
  }

  // the subject it is compared with
  private Stream<Cell> subject(Cell cell) {
    return evidence
        .measured()
        .against(cell.subject())
        .map(it -> new Cell(it, cell.clients(), cell.kind()))
        .stream();
  }

  // for the slower call; the timed calls and the calls with parts must agree
  private Optional<String> carrier(Cell cell, Cell other) {
    Verdict seen = evidence.ratio(cell, other).map(Ratio::verdict).orElse(Verdict.NONE);
    Cell slow = seen == Verdict.DOWN ? other : cell;
    Cell quick = seen == Verdict.DOWN ? cell : other;
    var gap =
        new CallParts.Gap(
            new CallParts(evidence.measured(), slow), new CallParts(evidence.measured(), quick));
    if (seen == Verdict.NONE
        || !gap.isMeasured()
        || gap.millis(List.of(CallParts.WHOLE)).low() <= 0) {
      return Optional.empty();
    }
    return gap.carrier()
        .map(part ->
            "%s takes %s longer than %s (%s); the part %s has the largest share: %s, %s of it."
                .formatted(
                    Phrases.call(slow),
                    Numbers.millis(gap.millis(List.of(CallParts.WHOLE))),
                    Phrases.call(quick),
                    Phrases.clients(slow.clients()),
                    part,
                    Numbers.millis(gap.millis(List.of(part))),
                    Numbers.percent(gap.share(List.of(part)))));
  }
}
