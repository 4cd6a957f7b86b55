package toystore.gatling.report;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import toystore.gatling.result.RunFolder;

/// The audits of the stores after the run.
record AuditSection(RunFolder run) implements Section {
  private static final String PREFIX = "audit.";

  @Override
  public String heading() {
    return "Audits";
  }

  @Override
  public String text() {
    var rows = new ArrayList<List<String>>();
    found()
        .forEach((subject, text) -> rows.add(List.of("`" + subject + "`", Phrases.literal(text))));
    return new TextTable(2, List.of("subject", "found"), rows).markdown();
  }

  private TreeMap<String, String> found() {
    var found = new TreeMap<String, String>();
    run.about()
        .forEach((key, text) -> {
          if (key.startsWith(PREFIX)) {
            found.put(key.substring(PREFIX.length()), text);
          }
        });
    return found;
  }

  /// The audits that failed or were not requested.
  @Override
  public List<String> findings() {
    return found().entrySet().stream()
        .filter(it -> !it.getValue().startsWith("ok"))
        .map(it ->
            (it.getValue().equals("not asked")
                    ? "`%s` was not audited."
                    : "**The audit of `%s` did not pass**: %s")
                .formatted(it.getKey(), Phrases.literal(it.getValue())))
        .toList();
  }
}
