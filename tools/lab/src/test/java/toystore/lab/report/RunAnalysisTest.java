package toystore.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import toystore.lab.run.BlockRow;
import toystore.lab.run.CellKey;
import toystore.lab.run.ExperimentPlan;
import toystore.lab.run.Experiments;
import toystore.lab.stats.ContrastVerdict;
import toystore.lab.stats.DriftTest;
import toystore.lab.stats.VarianceComponents;

class RunAnalysisTest {
  private final ExperimentPlan plan;
  private final SyntheticRun run;

  RunAnalysisTest() throws IOException {
    plan = Experiments.plan("query-vs-buy");
    run = SyntheticRun.of(plan);
  }

  @Test
  void findsThePlantedRatios() {
    RunAnalysis analysis = run.analysis();
    assertThat(analysis.contrasts()).isEqualTo(plan.contrasts());
    assertThat(plan.contrasts())
        .extracting(it -> analysis.ratio(it).value())
        .usingElementComparator((a, b) -> Math.abs(a - b) < 0.02 * b ? 0 : Double.compare(a, b))
        .containsExactly(3.0, 3.0, 1.4, 1.4, 1.0);
    assertThat(analysis.verdict(plan.contrasts().getFirst()))
        .isInstanceOf(ContrastVerdict.Different.class);
    assertThat(analysis.verdict(plan.contrasts().getLast()))
        .isInstanceOf(ContrastVerdict.Equivalent.class);
    assertThat(new RunAnswer(analysis).sentence())
        .startsWith("With one client, a buy takes 3.0")
        .endsWith("] as a query.");
  }

  @Test
  void verdictThatDriftCanChangeIsWithheld() {
    RunAnalysis analysis = drifting(0.8);
    assertThat(analysis.drift("processes", "query").result()).isEqualTo(DriftTest.Result.STEADY);
    assertThat(analysis.drift("processes", "buy").lastOverFirst().value())
        .isCloseTo(0.8, within(0.01));
    assertThat(analysis.verdict(plan.contrasts().getFirst()))
        .isInstanceOf(ContrastVerdict.Different.class);
    assertThat(analysis.verdict(plan.contrasts().getLast()))
        .isInstanceOf(ContrastVerdict.NoVerdict.class);
    assertThat(new RunAnswer(analysis).sentence())
        .contains("as a query, of which drift explains at most a factor of 1.2");
    assertThat(new RunAnswer(drifting(0.3)).sentence()).contains("there is no verdict: drifting");
  }

  private RunAnalysis drifting(double lastOverFirst) {
    return new SyntheticRun(plan, 8, 3, lastOverFirst, 1).analysis();
  }

  @Test
  void twoStartsOfTheSameStoreDifferByNoise() {
    RunAnalysis analysis = run.analysis();
    var query = new CellKey("processes", "", 1, "query");
    assertThat(analysis.baselineRatio(query).value()).isCloseTo(1, within(0.02));
    VarianceComponents variance =
        VarianceComponents.fit(analysis.baselinePairs(query)).orElseThrow();
    assertThat(variance.block()).isGreaterThan(10 * variance.start());
  }

  @Test
  void leavesOutBlocksThatLackACellOfTheContrast() {
    List<BlockRow> rows =
        run.rows().stream()
            .filter(it -> it.block() > 1 || !it.cell().kind().equals("buy"))
            .toList();
    assertThat(new RunAnalysis(plan, rows).ratio(plan.contrasts().getFirst()).value())
        .isCloseTo(3, within(0.05));
  }

  @Test
  void runWithoutBlocksHasNoFigures() {
    var empty = new RunAnalysis(plan, List.of());
    assertThat(empty.blocks()).isZero();
    assertThat(empty.isComplete()).isFalse();
    assertThat(empty.contrasts()).isEmpty();
    assertThat(empty.cells()).isEmpty();
    assertThat(OpenCurve.of(empty)).isEmpty();
    assertThat(new RunAnswer(empty).sentence()).isEqualTo("Not measured yet.");
  }

  @Test
  void marksOverloadedRatesOfTheOpenLoop() {
    OpenCurve curve = OpenCurve.of(run.analysis()).getFirst();
    assertThat(curve.points())
        .extracting(OpenCurve.OpenPoint::share)
        .containsExactly(0.1, 0.3, 0.5, 0.7, 0.9);
    assertThat(curve.points())
        .extracting(OpenCurve.OpenPoint::isOverloaded)
        .containsExactly(false, false, false, false, true);
    assertThat(curve.points()).noneMatch(OpenCurve.OpenPoint::isVoid);
  }
}
