package toystore.gatling.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

class LineChartTest {
  private static final LineChart.Line QUERY =
      new LineChart.Line("query & more", List.of(point(1, 2), point(10, 4), point(100, 40)));

  @Test
  void svgIsWellFormedAndDescribesItsData() throws Exception {
    Document svg = parsed(chart(false, QUERY));
    assertThat(texts(svg, "title"))
        .contains("Latency <by> clients", "query & more, clients: 10, ms: 4.00 [3.60, 4.40]");
    assertThat(texts(svg, "desc")).containsExactly("described");
    assertThat(texts(svg, "text")).contains("clients", "ms", "query & more", "1", "100");
    assertThat(svg.getElementsByTagName("polyline").getLength()).isEqualTo(1);
    // three points and one in the legend
    assertThat(svg.getElementsByTagName("circle").getLength()).isEqualTo(4);
    assertThat(svg.getElementsByTagName("path").getLength()).isEqualTo(3);
  }

  @Test
  void logarithmicAxisPlacesTenHalfwayBetweenOneAndAHundred() throws Exception {
    assertThat(places(chart(true, QUERY))).containsExactly(114.0, 345.0, 576.0);
    assertThat(places(chart(false, QUERY)).get(1)).isLessThan(200);
  }

  @Test
  void pointWithoutIntervalHasNoErrorBar() throws Exception {
    var single = new LineChart.Point(1, Estimate.ofMean(List.of(3.0)));
    Document svg = parsed(chart(false, new LineChart.Line("query", List.of(single))));
    assertThat(svg.getElementsByTagName("path").getLength()).isEqualTo(0);
    assertThat(texts(svg, "title")).contains("query, clients: 1, ms: 3.00 [interval unknown]");
  }

  private static LineChart chart(boolean logarithmic, LineChart.Line line) {
    return new LineChart(
        "latency",
        "Latency <by> clients",
        "described",
        "clients",
        "ms",
        logarithmic,
        List.of(line));
  }

  private static LineChart.Point point(double x, double y) {
    return new LineChart.Point(x, new Estimate(y, 0.9 * y, 1.1 * y));
  }

  private static List<Double> places(LineChart chart) throws Exception {
    String points =
        parsed(chart)
            .getElementsByTagName("polyline")
            .item(0)
            .getAttributes()
            .getNamedItem("points")
            .getTextContent();
    return List.of(points.split(" ")).stream().map(it -> Double.valueOf(it.split(",")[0])).toList();
  }

  private static Document parsed(LineChart chart) throws Exception {
    return DocumentBuilderFactory.newDefaultInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(chart.svg().getBytes(StandardCharsets.UTF_8)));
  }

  private static List<String> texts(Document svg, String tag) {
    var nodes = svg.getElementsByTagName(tag);
    return IntStream.range(0, nodes.getLength())
        .mapToObj(i -> nodes.item(i).getTextContent())
        .toList();
  }
}
