package toystore.gatling.report;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import toystore.gatling.result.RunFolder;

/// The head of a report: question, subjects, time and machine.
record RunHeader(RunFolder run) {
  String title() {
    String title = run.about("title");
    return title.isEmpty() ? run.about("experiment") : title;
  }

  String text() {
    var rows = new ArrayList<List<String>>();
    add(rows, "Question", Phrases.literal(run.about("question")));
    add(rows, "Placement", Phrases.literal(run.about("placement")));
    add(rows, "Command", code(run.about("command")));
    add(rows, "Kind of run", kind());
    add(rows, "Clients", Phrases.literal(run.about("clients")));
    add(rows, "Calls of each client a repetition", calls());
    add(rows, "When", when());
    add(rows, "Machine", listed("cpu", "cores", "memory", "os"));
    add(rows, "Software", listed("java", "engine", "gatling"));
    add(rows, "Toystore", listed("version", "commit"));
    return "# %s\n\n%s\n%s"
        .formatted(
            Phrases.literal(title()),
            new TextTable(2, List.of("", ""), rows).markdown(),
            subjects());
  }

  private static void add(List<List<String>> rows, String name, String text) {
    if (!text.isBlank()) {
      rows.add(List.of(name, text));
    }
  }

  private static String code(String text) {
    return text.isEmpty() ? "" : "`" + text.replace("`", "'") + "`";
  }

  private String kind() {
    String kind =
        run.about("quick").equals("true") ? "**quick**: few calls, for a first look" : "full";
    String repetitions =
        run.about("repetitions").isEmpty()
            ? ""
            : ", %s repetitions".formatted(run.about("repetitions"));
    return kind + repetitions + (run.isFinished() ? "" : ", **not finished**");
  }

  private String calls() {
    return String.join(
        ", ",
        run.about().keySet().stream()
            .filter(key -> key.startsWith("calls."))
            .sorted()
            .map(key ->
                "%s `%s`"
                    .formatted(Phrases.literal(run.about(key)), key.substring("calls.".length())))
            .toList());
  }

  private String when() {
    String from = run.about("started");
    String until = run.isFinished() ? " until " + run.about("finished") : "";
    String took =
        run.about("seconds").matches("\\d+(\\.\\d+)?")
            ? ", measured for " + duration(Double.parseDouble(run.about("seconds")))
            : "";
    String sessions =
        run.about("sessions").matches("|1")
            ? ""
            : ", in %s sessions".formatted(run.about("sessions"));
    return Phrases.literal(from + until + took + sessions);
  }

  private static String duration(double seconds) {
    var time = Duration.ofSeconds(Math.round(seconds));
    return Stream.of(
            part(time.toHours(), "h"),
            part(time.toMinutesPart(), "min"),
            part(time.toSecondsPart(), "s"))
        .filter(part -> !part.startsWith("0 "))
        .reduce((a, b) -> a + " " + b)
        .orElse("under 1 s");
  }

  private static String part(long number, String unit) {
    return number + " " + unit;
  }

  private String listed(String... keys) {
    return String.join(
        ", ",
        Stream.of(keys)
            .filter(key -> !run.about(key).isEmpty())
            .map(key ->
                (key.equals("cpu") || key.equals("os") ? "" : key + " ")
                    + Phrases.literal(run.about(key)))
            .toList());
  }

  private String subjects() {
    return String.join(
        "",
        run.subjects().stream()
            .map(subject -> "- `%s`%s\n".formatted(subject, what(subject)))
            .toList());
  }

  private String what(String subject) {
    String what = run.about("subject." + subject);
    return what.isEmpty() ? "" : ": " + Phrases.literal(what);
  }
}
