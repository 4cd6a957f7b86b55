package toystore.gatling;

import java.util.List;
import java.util.Map;

/// Compares `GET /products/{name}` with `POST /orders`, by number of clients.
public final class QueryVsBuySimulation extends Experiment {
  static final ExperimentDesign DESIGN =
      new ExperimentDesign(
          "query-vs-buy",
          "Query versus buy",
          "How does a query compare with a buy, and how does either change with the number of clients?",
          "query-vs-buy",
          List.of("target"),
          List.of(new Query(), new Buy()),
          new ExperimentDesign.Effort(
              15,
              ClientCounts.parse("1-5,10,25,50,100"),
              Map.of("query", 1_000, "buy", 100),
              100,
              10_000),
          new ExperimentDesign.Effort(
              3, ClientCounts.parse("1-5"), Map.of("query", 300, "buy", 100), 100, 500));

  public QueryVsBuySimulation() {
    super(DESIGN, environments -> List.of(environments.processes("processes")));
  }
}
