package toystore.gatling.report;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import toystore.gatling.result.Cell;

/// How the mean latency changes with the number of clients, and whether this differs between kinds
/// of calls.
record ScalabilitySection(ReportData evidence) implements Section {
  private static final int SOME = 5;

  @Override
  public String heading() {
    return "By number of clients";
  }

  @Override
  public String text() {
    var rows = new ArrayList<List<String>>();
    RunByCell measured = evidence.measured();
    for (String subject : measured.subjects()) {
      for (int clients : steps()) {
        for (String kind : measured.kinds()) {
          growth(subject, clients, kind)
              .ifPresent(ratio ->
                  rows.add(row(subject, "`" + kind + "`", clients, ratio, ratio.conclusion())));
        }
        for (String kind : others()) {
          growths(subject, clients, kind)
              .ifPresent(ratio ->
                  rows.add(
                      row(
                          subject,
                          "`%s` ÷ `%s`".formatted(kind, measured.kinds().getFirst()),
                          clients,
                          ratio,
                          faster(ratio))));
        }
      }
    }
    return new TextTable(
            2, List.of("subject", "kind", "from", "to", "times as long", "result"), rows)
        .markdown();
  }

  private List<String> row(
      String subject, String kind, int clients, Ratio ratio, String conclusion) {
    return List.of(
        "`" + subject + "`",
        kind,
        Phrases.clients(fewest()),
        Phrases.clients(clients),
        ratio.text(),
        conclusion);
  }

  private static String faster(Ratio ratio) {
    return switch (ratio.verdict()) {
      case UP -> "faster growth";
      case DOWN -> "slower growth";
      case NONE -> ratio.conclusion();
    };
  }

  private int fewest() {
    return evidence.measured().clients().first();
  }

  // to five, as in the published tables, and to the largest number
  private Set<Integer> steps() {
    NavigableSet<Integer> clients = evidence.measured().clients();
    var steps = new LinkedHashSet<Integer>();
    if (clients.size() > 1) {
      if (clients.contains(SOME) && clients.first() < SOME) {
        steps.add(SOME);
      }
      steps.add(clients.last());
    }
    return steps;
  }

  private List<String> others() {
    List<String> kinds = evidence.measured().kinds();
    return kinds.subList(Math.min(1, kinds.size()), kinds.size());
  }

  private Optional<Ratio> growth(String subject, int clients, String kind) {
    return evidence.ratio(new Cell(subject, clients, kind), new Cell(subject, fewest(), kind));
  }

  // a kind's growth ÷ the first kind's
  private Optional<Ratio> growths(String subject, int clients, String kind) {
    String first = evidence.measured().kinds().getFirst();
    return evidence.ratio(
        List.of(new Cell(subject, clients, kind), new Cell(subject, fewest(), first)),
        List.of(new Cell(subject, fewest(), kind), new Cell(subject, clients, first)));
  }

  /// For the first subject.
  @Override
  public List<String> findings() {
    RunByCell measured = evidence.measured();
    var findings = new ArrayList<String>();
    for (int clients : steps()) {
      String subject = measured.subjects().getFirst();
      String when = "from %s to %s on `%s`".formatted(Phrases.clients(fewest()), clients, subject);
      for (String kind : measured.kinds()) {
        growth(subject, clients, kind)
            .ifPresent(
                ratio -> findings.add("`%s`, %s: %s.".formatted(kind, when, ratio.clause())));
      }
      for (String kind : others()) {
        growths(subject, clients, kind)
            .ifPresent(ratio -> findings.add(differs(kind, when, ratio)));
      }
    }
    return findings;
  }

  private String differs(String kind, String when, Ratio ratio) {
    String first = evidence.measured().kinds().getFirst();
    String pair = "the growth of `%s` ÷ that of `%s`".formatted(kind, first);
    return switch (ratio.verdict()) {
      case UP ->
          "`%s` grows faster than `%s` %s: %s is %s."
              .formatted(kind, first, when, pair, ratio.text());
      case DOWN ->
          "`%s` grows more slowly than `%s` %s: %s is %s."
              .formatted(kind, first, when, pair, ratio.text());
      case NONE ->
          "Whether `%s` and `%s` grow differently %s: %s (%s is %s)."
              .formatted(kind, first, when, ratio.conclusion(), pair, ratio.text());
    };
  }
}
