package toystore.lab.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Element;
import toystore.lab.chart.CurveChart.AxisTitle;
import toystore.lab.chart.CurveChart.Spacing;
import toystore.lab.chart.DataPoint.Mark;
import toystore.lab.stats.ConfidenceInterval;

/// Draws every chart from usual and unusual data, and looks for what lies outside the view box.
class ChartBoundsTest {
  private static final Pattern NUMBER = Pattern.compile("-?\\d+(\\.\\d+)?");

  private static final double SHAPE = 7; // a point shape with half of its stroke

  static Stream<Chart> charts() {
    return Stream.concat(ExampleCharts.usual().stream(), ExampleCharts.unusual().stream());
  }

  @ParameterizedTest(name = "{index}")
  @MethodSource("charts")
  void everyTextAndMarkLiesInsideTheViewBox(Chart chart) throws Exception {
    for (ChartLayout layout : ChartLayout.values()) {
      Element svg = parsed(chart.file(layout));
      String[] box = svg.getAttribute("viewBox").split(" ");
      double width = Double.parseDouble(box[2]);
      double height = Double.parseDouble(box[3]);
      for (Element element : elements(svg)) {
        double[] edges = edges(element);
        assertThat(edges[0] >= 0 && edges[1] >= 0 && edges[2] <= width && edges[3] <= height)
            .as(
                "%s %s at %s within %s x %s",
                element.getTagName(),
                element.getTextContent(),
                Arrays.toString(edges),
                width,
                height)
            .isTrue();
      }
    }
  }

  @ParameterizedTest(name = "{index}")
  @MethodSource("charts")
  void textsDoNotOverlap(Chart chart) throws Exception {
    for (ChartLayout layout : List.of(ChartLayout.WIDE, ChartLayout.NARROW)) {
      List<Element> texts =
          elements(parsed(chart.file(layout))).stream()
              .filter(it -> it.getTagName().equals("text"))
              .toList();
      for (int i = 0; i < texts.size(); i++) {
        for (int j = 0; j < i; j++) {
          double[] a = edges(texts.get(i));
          double[] b = edges(texts.get(j));
          boolean apart = a[2] <= b[0] || b[2] <= a[0] || a[3] <= b[1] || b[3] <= a[1];
          assertThat(apart)
              .as("'%s' beside '%s'", texts.get(i).getTextContent(), texts.get(j).getTextContent())
              .isTrue();
        }
      }
    }
  }

  @Test
  void intervalThatLeavesTheAxisEndsInAnArrow() throws Exception {
    Chart forest =
        new ForestPlot(
            "cut",
            "Cut",
            "Cut.",
            "ratio",
            1.1,
            List.of(
                new ForestPlot.ForestRow(
                    "inside", new ConfidenceInterval(1.2, 1.1, 1.3), false, "higher"),
                new ForestPlot.ForestRow(
                    "cut", new ConfidenceInterval(1.2, 0.001, 400), false, "cannot tell"),
                new ForestPlot.ForestRow(
                    "one block", ConfidenceInterval.of(1.2), false, "no verdict")));
    assertThat(classes(forest, "path"))
        .containsExactly(
            "interval s0", "measured s0", "interval cut s0", "measured s0", "measured s0");
    Chart curve =
        new CurveChart(
            "cut-curve",
            "Cut",
            "Cut.",
            new AxisTitle("clients", Spacing.LOGARITHMIC),
            new AxisTitle("ms", Spacing.LINEAR),
            true,
            List.of(
                new DataSeries(
                    "buy",
                    List.of(
                        DataPoint.of(1, new ConfidenceInterval(2, 1, 3)),
                        DataPoint.of(10, new ConfidenceInterval(3, -1, 300))))));
    assertThat(classes(curve, "path"))
        .containsExactly(
            "interval s0", "measured s0", "interval cut s0", "measured s0", "measured s0");
  }

  @Test
  void driftingPointIsHollowAndOverloadedPointIsACross() throws Exception {
    Chart strip =
        new CurveChart(
            "drift",
            "Drift",
            "Drift.",
            new AxisTitle("seconds since ready", Spacing.LINEAR),
            new AxisTitle("ms", Spacing.LOGARITHMIC),
            false,
            List.of(
                new DataSeries(
                    "buy", List.of(DataPoint.of(10, 2), DataPoint.of(20, 1).as(Mark.DRIFTING)))));
    assertThat(classes(strip, "path"))
        .containsExactly("measured s0", "drifting s0", "measured s0", "drifting");
    assertThat(texts(strip)).contains("buy", "drifting", "seconds since ready");
    Chart curve =
        new CurveChart(
            "rate",
            "Rate",
            "Rate.",
            new AxisTitle("rate", Spacing.LINEAR),
            new AxisTitle("ms", Spacing.LINEAR),
            true,
            List.of(
                new DataSeries(
                    "p99",
                    List.of(DataPoint.of(100, 1), DataPoint.of(900, 9).as(Mark.OVERLOADED)))));
    assertThat(classes(curve, "path"))
        .containsExactly("measured s0", "overloaded s0", "measured s0", "overloaded");
  }

  @Test
  void percentilesHaveEqualDistancesAndAreTicksAsFarAsThePointsReach() throws Exception {
    Chart chart =
        new CurveChart(
            "distribution",
            "Distribution",
            "Distribution.",
            new AxisTitle("percentile of calls", Spacing.PERCENTILE),
            new AxisTitle("ms", Spacing.LOGARITHMIC),
            true,
            List.of(
                new DataSeries(
                    "buy",
                    Stream.of(0.0, 0.9, 0.99).map(it -> DataPoint.of(it, 1 + 10 * it)).toList())));
    assertThat(texts(chart)).contains("50 %", "90 %", "99 %").doesNotContain("99.9 %");
    assertThat(tips(chart)).containsExactly("buy, 0 %: 1", "buy, 90 %: 10", "buy, 99 %: 10.9");
    double[] x =
        elements(parsed(chart.file(ChartLayout.WIDE))).stream()
            .filter(it -> it.getAttribute("class").equals("measured s0"))
            .filter(it -> it.getFirstChild() != null) // not in the legend
            .mapToDouble(it -> mark(it.getAttribute("transform"))[0])
            .toArray();
    assertThat(x[2] - x[1]).isCloseTo(x[1] - x[0], within(0.2));
  }

  @Test
  void longTextIsShortenedAndHasItsFullTextAsTooltip() throws Exception {
    String name = "m".repeat(200);
    Chart chart =
        new StartsChart(
            "long", "t", "d", "x", "y", List.of(new DataSeries(name, List.of(DataPoint.of(1, 1)))));
    assertThat(texts(chart)).doesNotContain(name).anyMatch(it -> it.startsWith("mmmm"));
    assertThat(tips(chart)).contains(name);
  }

  @Test
  void pageWithAllChartsHasUniqueIdsAndNamesForScreenReaders() throws Exception {
    Element page =
        parsed(
            ExampleCharts.usual().stream()
                .map(Chart::html)
                .collect(Collectors.joining("", "<div>", "</div>")));
    var ids = new HashSet<String>();
    for (Element element : elements(page)) {
      if (element.hasAttribute("id")) {
        assertThat(ids.add(element.getAttribute("id"))).isTrue();
      }
    }
    for (Element element : elements(page)) {
      if (element.getTagName().equals("svg")) {
        assertThat(ids).contains(element.getAttribute("aria-labelledby").split(" "));
      }
    }
    assertThat(ids).hasSize(2 * 2 * 6);
  }

  @Test
  void everySeriesHasItsOwnShapeAndDashes() {
    List<String> dashes = values("stroke-dasharray: ([^;]*);");
    assertThat(dashes).hasSize(SeriesStyle.values().length - 1).doesNotHaveDuplicates();
    List<String> shapes =
        Stream.concat(
                Stream.of(SeriesStyle.values()).map(it -> it.path),
                Stream.of(SeriesStyle.CROSS, SeriesStyle.STAR))
            .toList();
    assertThat(shapes).doesNotHaveDuplicates();
    assertThat(
            shapes.stream()
                .flatMap(it -> NUMBER.matcher(it).results())
                .map(it -> Double.valueOf(it.group())))
        .allMatch(it -> Math.abs(it) < SHAPE);
  }

  @Test
  void everyColourHasTheStatedContrast() {
    List<String> colours = values("--series: (#[^;]*);");
    List<String> backgrounds = values("background: (#[^;]*);");
    int series = SeriesStyle.values().length;
    assertThat(colours).hasSize(2 * series);
    assertThat(contrast(colours.subList(0, series), backgrounds.getFirst())).isBetween(5.0, 5.1);
    assertThat(contrast(colours.subList(series, 2 * series), backgrounds.getLast()))
        .isBetween(6.6, 6.8);
  }

  private static List<String> values(String pattern) {
    return Pattern.compile(pattern)
        .matcher(ChartStyle.CSS)
        .results()
        .map(it -> it.group(1))
        .toList();
  }

  // the least contrast, as WCAG defines it
  private static double contrast(List<String> colours, String background) {
    return colours.stream()
        .mapToDouble(it -> {
          double a = luminance(it) + 0.05;
          double b = luminance(background) + 0.05;
          return Math.max(a, b) / Math.min(a, b);
        })
        .min()
        .orElseThrow();
  }

  private static double luminance(String colour) {
    double[] weights = {0.2126, 0.7152, 0.0722};
    return IntStream.range(0, 3)
        .mapToDouble(i -> {
          double c = Integer.parseInt(colour, 2 * i + 1, 2 * i + 3, 16) / 255.0;
          return weights[i] * (c <= 0.04045 ? c / 12.92 : Math.pow((c + 0.055) / 1.055, 2.4));
        })
        .sum();
  }

  // left, top, right, bottom, with half of the widest stroke
  private static double[] edges(Element element) {
    double half = 1;
    return switch (element.getTagName()) {
      case "text" -> {
        boolean title = element.getAttribute("class").equals("title");
        double size = title ? 16 * 1.12 : 13;
        String shown = element.getFirstChild().getNodeValue();
        double width = TextWidth.of(shown, size);
        double x = number(element, "x");
        double left =
            switch (element.getAttribute("text-anchor")) {
              case "middle" -> x - width / 2;
              case "end" -> x - width;
              default -> x;
            };
        double y = number(element, "y");
        yield new double[] {left, y - 0.8 * size, left + width, y + 0.25 * size};
      }
      case "rect" -> {
        double x = number(element, "x");
        double y = number(element, "y");
        yield new double[] {x, y, x + number(element, "width"), y + number(element, "height")};
      }
      case "line" ->
          around(
              List.of(number(element, "x1"), number(element, "x2")),
              List.of(number(element, "y1"), number(element, "y2")),
              half);
      case "path", "polyline" -> {
        var x = new ArrayList<Double>();
        var y = new ArrayList<Double>();
        if (element.hasAttribute("transform")) {
          yield mark(element.getAttribute("transform"));
        }
        var numbers = NUMBER.matcher(element.getAttribute("d") + element.getAttribute("points"));
        while (numbers.find()) {
          x.add(Double.valueOf(numbers.group()));
          assertThat(numbers.find()).isTrue();
          y.add(Double.valueOf(numbers.group()));
        }
        yield x.isEmpty() ? new double[4] : around(x, y, half);
      }
      case "svg", "title", "desc", "style" -> new double[4];
      default -> throw new IllegalStateException("unknown element " + element.getTagName());
    };
  }

  // a point shape around the place to which it is moved
  private static double[] mark(String transform) {
    var numbers = NUMBER.matcher(transform);
    assertThat(numbers.find()).isTrue();
    double x = Double.parseDouble(numbers.group());
    assertThat(numbers.find()).isTrue();
    double y = Double.parseDouble(numbers.group());
    return new double[] {x - SHAPE, y - SHAPE, x + SHAPE, y + SHAPE};
  }

  private static double[] around(List<Double> x, List<Double> y, double half) {
    return new double[] {
      x.stream().min(Double::compare).orElseThrow() - half,
      y.stream().min(Double::compare).orElseThrow() - half,
      x.stream().max(Double::compare).orElseThrow() + half,
      y.stream().max(Double::compare).orElseThrow() + half
    };
  }

  private static double number(Element element, String attribute) {
    return Double.parseDouble(element.getAttribute(attribute));
  }

  private static List<String> classes(Chart chart, String tag) throws Exception {
    return elements(parsed(chart.file(ChartLayout.WIDE))).stream()
        .filter(it -> it.getTagName().equals(tag))
        .map(it -> it.getAttribute("class"))
        .toList();
  }

  private static List<String> texts(Chart chart) throws Exception {
    return elements(parsed(chart.file(ChartLayout.WIDE))).stream()
        .filter(it -> it.getTagName().equals("text"))
        .map(it -> it.getFirstChild().getNodeValue())
        .toList();
  }

  private static List<String> tips(Chart chart) throws Exception {
    return elements(parsed(chart.file(ChartLayout.WIDE))).stream()
        .filter(it -> it.getTagName().equals("title") && !it.hasAttribute("id"))
        .map(Element::getTextContent)
        .toList();
  }

  private static Element parsed(String xml) throws Exception {
    return DocumentBuilderFactory.newDefaultInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)))
        .getDocumentElement();
  }

  private static List<Element> elements(Element root) {
    var nodes = root.getElementsByTagName("*");
    return IntStream.range(0, nodes.getLength()).mapToObj(i -> (Element) nodes.item(i)).toList();
  }
}
