package toystore.gatling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;

class ReportTest {
  private static final Map<String, String> ABOUT =
      Map.of(
          "experiment", "Query & buy",
          "cpus", "2",
          "os", "Linux",
          "java", "25",
          "time", "today",
          "baseUrl", "http://127.0.0.1:8080");
  private static final List<Cell> CELLS =
      List.of(
          new Cell(1, "query", 1000, 210.4, 200, 305, 412, 9_876, 4_321.6),
          new Cell(1, "buy", 100, 551.5, 540, 700, 1_234, 2_345, 1_800),
          new Cell(5, "query", 5000, 400, 380, 600, 900, 12_345_678, 12_345.4),
          new Cell(5, "buy", 500, 950, 900, 1_500, 2_000, 3_000, 5_200));

  @TempDir Path folder;

  @BeforeEach
  void measured() throws IOException {
    Results.write(folder, ABOUT, List.of(oneCall(1, "query", 210), oneCall(1, "buy", 550)));
  }

  @Test
  void aFolderIsReadAsItWasWritten() throws IOException {
    Results read = Results.read(folder);
    assertThat(read.about()).isEqualTo(ABOUT);
    assertThat(read.cells())
        .usingRecursiveFieldByFieldElementComparatorIgnoringFields("perSecond")
        .containsExactly(
            new Cell(1, "query", 1, 210, 210, 210, 210, 210, 1),
            new Cell(1, "buy", 1, 550, 550, 550, 550, 550, 1));
  }

  @Test
  void histogramsOutliveTheRun() throws IOException {
    assertThat(Files.readString(folder.resolve("1-buy.hgrm"))).contains("550.000 1.000000000000");
    try (var in = Files.newInputStream(folder.resolve("cells.hlog"))) {
      var log = new HistogramLogReader(in);
      var query = (Histogram) log.nextIntervalHistogram();
      assertThat(query.getTag()).isEqualTo("1-query");
      assertThat(query.getMaxValue()).isEqualTo(210);
    }
  }

  @Test
  void theTableIsAlignedAndHasThousandsSeparators() {
    assertThat(Table.of(CELLS))
        .isEqualTo(
            """
            clients  kind   count  mean  p50    p95    p99         max  answers/s
                  1  query  1,000   210  200    305    412       9,876      4,322
                  1  buy      100   552  540    700  1,234       2,345      1,800
                  5  query  5,000   400  380    600    900  12,345,678     12,345
                  5  buy      500   950  900  1,500  2,000       3,000      5,200
            latencies in µs
            """);
  }

  @Test
  void theChartIsWellFormedAndShowsEachCellOnItsLine() throws Exception {
    Report.write(new Results(folder, ABOUT, CELLS));
    Document svg = parsed(Files.readString(folder.resolve("chart.svg")));
    assertThat(texts(svg, "title"))
        .contains(
            "Query & buy: mean latency by number of clients",
            "query, clients: 1, mean latency (µs): 210.4",
            "buy, clients: 5, mean latency (µs): 950.0");
    assertThat(texts(svg, "desc").getFirst()).contains("buy, clients: 5, mean: 950 µs");
    assertThat(texts(svg, "text"))
        .contains("clients", "mean latency (µs)", "query", "buy", "1,000");
    assertThat(svg.getElementsByTagName("polyline").getLength()).isEqualTo(2);
    // two points a line and one in the legend
    assertThat(svg.getElementsByTagName("circle").getLength()).isEqualTo(3);
  }

  @Test
  void theReportEndsWithWhereItsFilesAre() throws IOException {
    assertThat(Report.write(Results.read(folder)))
        .isEqualTo(Files.readString(folder.resolve("report.txt")))
        .startsWith("Query & buy, 2 CPUs, Linux, Java 25, today\n")
        .endsWith(
            "chart  %s\ncsv    %s\n"
                .formatted(folder.resolve("chart.svg"), folder.resolve("cells.csv")));
  }

  @Test
  void aDamagedFileIsNamedWithItsLine() throws IOException {
    Path csv = Results.cellsFile(folder);
    Files.writeString(csv, Files.readString(csv) + "2,query,none\n");
    assertThatThrownBy(() -> Results.read(folder))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(csv + ", line 4: ")
        .hasMessageEndingWith("found '2,query,none'");
  }

  private static Measurement oneCall(int clients, String kind, long micros) {
    var measurement = new Measurement(clients, kind);
    long now = System.nanoTime();
    measurement.add(now, now + micros * 1_000);
    return measurement;
  }

  private static Document parsed(String svg) throws Exception {
    return DocumentBuilderFactory.newDefaultInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
  }

  private static List<String> texts(Document svg, String tag) {
    var nodes = svg.getElementsByTagName(tag);
    return IntStream.range(0, nodes.getLength())
        .mapToObj(i -> nodes.item(i).getTextContent())
        .toList();
  }
}
