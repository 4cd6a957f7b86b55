package toystore.gatling.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import toystore.gatling.result.Cell;

/// The number of clients from which on calls wait for each other, in runs that ask for it; and, if
/// observed, the time that tasks waited in a queue and the clients that a thread pool starved.
record SaturationSection(ReportData evidence) implements Section {
  private static final String QUEUE = "queue.mean";
  private static final String LONGEST_IN_QUEUE = "queue.max";
  private static final String FIRST_ANSWER = "first-answer.longest";
  private static final String STARVED = "first-answer.starved";

  @Override
  public String heading() {
    return "Where waiting begins";
  }

  @Override
  public String text() {
    if (!isAsked()) {
      return "";
    }
    var begins = new ArrayList<List<String>>();
    series()
        .forEach(first ->
            begins.add(
                List.of("`" + first.subject() + "`", "`" + first.kind() + "`", begins(first))));
    return new TextTable(2, List.of("subject", "kind", "longer from"), begins).markdown()
        + """

        The smallest number of clients whose mean is detectably longer than that of one client (or of the smallest number measured). Clients beyond the number of cores also wait for a core.
        """
        + queues();
  }

  private boolean isAsked() {
    return evidence.measured().run().about("waiting").equals("asked");
  }

  /// Each subject and kind with the smallest number of clients.
  private Stream<Cell> series() {
    int fewest =
        evidence.measured().clients().isEmpty() ? 1 : evidence.measured().clients().first();
    return evidence.measured().cells().stream().filter(cell -> cell.clients() == fewest);
  }

  private String begins(Cell first) {
    OptionalInt clients = longerFrom(first);
    return clients.isPresent() ? Phrases.clients(clients.getAsInt()) : "not detected";
  }

  private OptionalInt longerFrom(Cell first) {
    return evidence.measured().clients().stream()
        .filter(clients -> clients > first.clients())
        .filter(clients ->
            evidence
                .ratio(new Cell(first.subject(), clients, first.kind()), first)
                .filter(ratio -> ratio.verdict() == Verdict.UP)
                .isPresent())
        .mapToInt(clients -> clients)
        .findFirst();
  }

  private String queues() {
    var rows = new ArrayList<List<String>>();
    for (Cell cell : evidence.measured().cells()) {
      if (!evidence.measured().observed(cell, QUEUE).isEmpty()) {
        rows.add(
            List.of(
                "`" + cell.subject() + "`",
                "`" + cell.kind() + "`",
                Numbers.whole(cell.clients()),
                Numbers.millis(mean(cell, QUEUE) / 1e3),
                Numbers.millis(most(cell, LONGEST_IN_QUEUE) / 1e3),
                Numbers.millis(most(cell, FIRST_ANSWER)),
                Numbers.brief(mean(cell, STARVED))));
      }
    }
    return rows.isEmpty()
        ? ""
        : "\n"
            + new TextTable(
                    2,
                    List.of(
                        "subject",
                        "kind",
                        "clients",
                        "in the queue",
                        "longest there",
                        "last first answer",
                        "starved"),
                    rows)
                .markdown()
            + """

            In the queue: mean wait of a task; a task is a request or a connection, whichever a thread takes at a time. Longest there: the maximum of the service's last minutes, which may include other cells. Last first answer: time until every client had its first answer, in the worst repetition. Starved: clients that were not served until another client disconnected.
            """;
  }

  private double mean(Cell cell, String name) {
    return evidence.measured().observed(cell, name).values().stream()
        .mapToDouble(it -> it)
        .average()
        .orElse(Double.NaN);
  }

  private double most(Cell cell, String name) {
    return evidence.measured().observed(cell, name).values().stream()
        .mapToDouble(it -> it)
        .max()
        .orElse(Double.NaN);
  }

  /// The cells with starved clients, for each subject; then where waiting begins.
  @Override
  public List<String> findings() {
    if (!isAsked()) {
      return List.of();
    }
    return Stream.concat(
            evidence.measured().subjects().stream().flatMap(it -> starving(it).stream()),
            series().map(this::finding))
        .toList();
  }

  private String finding(Cell first) {
    OptionalInt clients = longerFrom(first);
    return clients.isPresent()
        ? "%s takes longer from %s on."
            .formatted(Phrases.call(first), Phrases.clients(clients.getAsInt()))
        : "%s does not detectably take longer with more clients.".formatted(Phrases.call(first));
  }

  private Optional<String> starving(String subject) {
    return evidence.measured().cells().stream()
        .filter(cell -> cell.subject().equals(subject) && mean(cell, STARVED) > 0)
        .reduce((fewer, more) -> more)
        .map(cell ->
            "**On `%s` clients starved**: of %s, %s were not served until another disconnected; the last of the first answers arrived after %s."
                .formatted(
                    subject,
                    Phrases.clients(cell.clients()),
                    Numbers.brief(mean(cell, STARVED)),
                    Numbers.millis(most(cell, FIRST_ANSWER))));
  }
}
