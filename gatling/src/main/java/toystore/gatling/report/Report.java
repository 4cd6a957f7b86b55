package toystore.gatling.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import toystore.gatling.result.RunFolder;

/// The report of a run: findings, tables and charts, as `report.md`, `report.html` and SVG files in
/// the run's folder. Its content depends only on the stored data, so a new experiment needs no code
/// here.
public final class Report {
  private final ReportData evidence;
  private final RunHeader head;
  private final List<Section> sections;
  private final List<LineChart> charts;

  private Report(ReportData evidence) {
    this.evidence = evidence;
    RunByCell measured = evidence.measured();
    this.head = new RunHeader(measured.run());
    this.charts = measured.cells().isEmpty() ? List.of() : new Charts(measured).all();
    // sections that may invalidate the others come first
    this.sections =
        List.of(
            new AuditSection(measured.run()),
            new LoadClientSection(evidence),
            new NetworkDistanceSection(evidence),
            new SubjectComparison(evidence),
            new KindComparison(evidence),
            new ScalabilitySection(evidence),
            new SaturationSection(evidence),
            new RefusalSection(evidence),
            new OperationTimeSection(evidence),
            new LatencyBreakdownSection(evidence),
            new ServiceCallsSection(evidence),
            new LatencySection(evidence),
            new PublishedComparison(evidence));
  }

  /// Writes the report of a run to its folder.
  ///
  /// @param noise a run that compares a store with itself, which gives the resolution of the
  ///   machine; without it only the intervals decide
  /// @return a summary of at most 40 lines, for a terminal
  public static String write(RunFolder run, PublishedResults published, @Nullable RunFolder noise)
      throws IOException {
    var report = new Report(evidence(run, published, noise));
    Path folder = run.folder();
    var svg = new LinkedHashMap<String, String>();
    for (LineChart chart : report.charts) {
      svg.put(chart.file(), chart.svg());
      Files.writeString(folder.resolve(chart.file()), chart.svg());
    }
    String markdown = report.markdown();
    Files.writeString(folder.resolve("report.md"), markdown);
    Files.writeString(
        folder.resolve("report.html"),
        HtmlPage.of(report.head.title(), new HtmlPage(svg).body(markdown)));
    return new TerminalSummary(report.evidence, report.findings()).text();
  }

  private static ReportData evidence(
      RunFolder run, PublishedResults published, @Nullable RunFolder noise) throws IOException {
    Resolution resolution = noise == null ? Resolution.UNKNOWN : Resolution.of(RunByCell.of(noise));
    return new ReportData(RunByCell.of(run), published, resolution.appliedTo(run));
  }

  /// Writes `index.html`, a page with the existing reports of several runs and their findings.
  public static void writeIndex(Path folder, List<RunFolder> runs) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("index.html"), new CombinedReport(runs).html());
  }

  static List<String> findings(RunFolder run, @Nullable RunFolder noise) throws IOException {
    return new Report(evidence(run, PublishedResults.NONE, noise)).findings();
  }

  private List<String> findings() {
    var findings = new ArrayList<String>();
    RunFolder run = head.run();
    if (evidence.measured().cells().isEmpty()) {
      findings.add("**Nothing was measured.**");
    } else if (!run.isFinished()) {
      findings.add(
          "**The run is incomplete**: this report covers what was measured before it stopped.");
    }
    if (run.about("quick").equals("true")) {
      findings.add(
          "**Quick run**: it shows that the experiment works; it has too few calls and repetitions for conclusions.");
    }
    if (!run.about("placement").isEmpty()) {
      findings.add("**Store started by the user**: " + Phrases.literal(run.about("placement")));
    }
    if (run.samples().stream().allMatch(sample -> sample.repetition() == 1)
        && !run.samples().isEmpty()) {
      findings.add(
          "**One repetition**: there is no interval, so no difference can be distinguished from chance.");
    }
    sections.forEach(section -> findings.addAll(section.findings()));
    return findings;
  }

  private String markdown() {
    var text = new StringBuilder(head.text());
    text.append("\n## Findings\n\n");
    findings().forEach(finding -> text.append("- ").append(finding).append('\n'));
    text.append(
        "\nBrackets hold 95 % intervals over repetitions; about one in twenty such intervals misses the true value by chance. `1.52×` means 1.52 times as long.\n");
    text.append('\n').append(evidence.resolution().note());
    charts.forEach(chart -> text.append("\n![%s](%s)\n".formatted(chart.title(), chart.file())));
    for (Section section : inReadingOrder()) {
      if (!section.text().isEmpty()) {
        text.append("\n## %s\n\n%s".formatted(section.heading(), section.text()));
      }
    }
    return text.append(end()).toString();
  }

  // latencies first; audits and load client last
  private Stream<Section> reading() {
    return Stream.concat(
        sections.stream().filter(LatencySection.class::isInstance),
        Stream.concat(
            sections.stream().skip(2).filter(section -> !(section instanceof LatencySection)),
            Stream.of(sections.get(1), sections.getFirst())));
  }

  private List<Section> inReadingOrder() {
    return reading().toList();
  }

  private String end() {
    RunFolder run = head.run();
    String again =
        run.about("command").isEmpty()
            ? ""
            : "\n## Reproduce\n\n```\n%s\n```\n".formatted(run.about("command"));
    return again
        + """

        ## Files

        | file | holds |
        | --- | --- |
        | `about.properties` | question, machine, versions, settings, audits |
        | `samples.csv` | one row per repetition of a cell: calls, latencies in µs, seconds, the load client |
        | `observations.csv` | parts of a call in µs, gRPC calls per request, round trips in µs |
        | `samples.hlog` | one histogram per row of samples.csv, µs (HdrHistogram's log format) |
        """;
  }
}
