package toystore.frontend.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;
import toystore.frontend.exchange.ExchangeClient.DepthView;
import toystore.frontend.exchange.ExchangeClient.DepthView.LevelView;

class ChartTest {
  @Test
  void oldestTradeIsOnTheLeft() {
    var newest = trade("12", "5", "2026-11-27T03:00:02.5Z");
    var middle = trade("10", "10", "2026-11-27T03:00:01Z");
    var oldest = trade("11", "0.001", "2026-11-27T03:00:00Z");

    var chart = PriceChart.of(List.of(newest, middle, oldest));

    assertThat(chart)
        .isEqualTo(
            new PriceChart(
                "0.0,68.0 200.0,68.0 200.0,128.0 400.0,128.0 400.0,8.0 600.0,8.0",
                "M30.0 200V199.0H170.0V200Z"
                    + "M230.0 200V140.0H370.0V200Z"
                    + "M430.0 200V170.0H570.0V200Z",
                3,
                oldest,
                newest,
                middle,
                newest,
                middle));
    assertThat(newest.shownTime()).isEqualTo("2026-11-27 03:00:02");
  }

  @Test
  void samePricesAreALineInTheMiddle() {
    var one = trade("3", "1", "2026-11-27T03:00:00Z");

    assertThat(PriceChart.of(List.of(one)))
        .extracting(PriceChart::line)
        .isEqualTo("0.0,68.0 600.0,68.0");
    assertThat(PriceChart.of(List.of())).isNull();
  }

  @Test
  void depthRisesFromTheBestPriceToBothEdges() {
    var depth =
        new DepthView(
            "ACME",
            List.of(new LevelView("10", "3", 1), new LevelView("9", "1", 1)),
            List.of(new LevelView("11", "8", 2)));

    assertThat(DepthChart.of(depth))
        .isEqualTo(
            new DepthChart(
                "M300.0 200V128.0H27.3V104.0H0V200Z", "M572.7 200V8.0H600V200Z", "9", "11", "8"));
  }

  @Test
  void depthOfOneSideAndOfNoneIsDrawn() {
    var asks = new DepthView("ACME", List.of(), List.of(new LevelView("11", "8", 2)));

    assertThat(DepthChart.of(asks))
        .isEqualTo(new DepthChart("", "M300.0 200V8.0H600V200Z", "11", "11", "8"));
    assertThat(DepthChart.of(new DepthView("ACME", List.of(), List.of()))).isNull();
  }

  private static PriceChart.Bar trade(String price, String units, String time) {
    return new PriceChart.Bar(new BigDecimal(price), price, new BigDecimal(units), units, time);
  }
}
