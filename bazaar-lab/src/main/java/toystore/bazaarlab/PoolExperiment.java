package toystore.bazaarlab;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import toystore.gatling.ClientCounts;
import toystore.gatling.ExperimentDesign;
import toystore.gatling.environment.CatalogOnly;
import toystore.gatling.result.ChartDefinition;

/// Compares thread pools: from which number of clients on do calls wait, and which clients starve?
///
/// | subject              | is called                                                               |
/// |----------------------|-------------------------------------------------------------------------|
/// | `grpc`               | lookups, then trades                                                    |
/// | `grpc-mixed`         | both at random, while an updater changes prices                         |
/// | `request-N`          | lookups over the line protocol, N threads, each serves a request        |
/// | `connection-N`       | the same, each serves a connection until it is closed                   |
public final class PoolExperiment extends ExperimentProgram {
  /// A pool size larger than the number of clients.
  private static final int LARGE = 50;

  private static final String SIZES = "1,2,5,10";

  static final ExperimentDesign DESIGN =
      new ExperimentDesign(
          "pool",
          "Pools of threads",
          "Where does waiting begin when a pool of threads serves clients, and does serving by connection starve those beyond the pool?",
          "pool",
          List.of(),
          List.of(),
          new ExperimentDesign.Effort(
              7,
              ClientCounts.parse("1,2,5,10,20"),
              Map.of("lookup", 1_000, "trade", 100, "mixed", 200),
              0,
              2_000),
          new ExperimentDesign.Effort(
              2,
              ClientCounts.parse("1,5,20"),
              Map.of("lookup", 100, "trade", 10, "mixed", 20),
              0,
              100),
          List.of(
              new ChartDefinition(
                  "grpc-mixed",
                  "gRPC, lookups and trades at random while prices change",
                  List.of("grpc-mixed/lookup", "grpc-mixed/trade")),
              new ChartDefinition("grpc-lookup", "gRPC, lookups", List.of("grpc/lookup")),
              new ChartDefinition("grpc-trade", "gRPC, trades", List.of("grpc/trade")),
              new ChartDefinition(
                  "line",
                  "The line protocol, more threads than clients",
                  List.of("request-" + LARGE + "/lookup")),
              new ChartDefinition(
                  "line-5",
                  "The line protocol on 5 threads",
                  List.of("request-5/lookup", "connection-5/lookup")),
              new ChartDefinition(
                  "request", "Pools whose threads serve requests", pools("request")),
              new ChartDefinition(
                  "connection", "Pools whose threads serve connections", pools("connection"))));

  private static List<String> pools(String serving) {
    return ClientCounts.parse(SIZES).each().stream()
        .map(size -> serving + "-" + size + "/lookup")
        .toList();
  }

  public PoolExperiment() {
    super(DESIGN);
  }

  @Override
  Setup prepare(RunContext context) throws IOException, InterruptedException {
    var linePools = linePools(ClientCounts.parse(System.getProperty("pools", SIZES)).each());
    var settings = new LinkedHashMap<String, List<String>>();
    linePools.forEach(linePool -> settings.put(linePool.name(), linePool.settings()));
    var catalogs = context.environments().catalogs(settings);
    var large = Objects.requireNonNull(catalogs.get(linePools.getFirst().name()));
    var setup = new SetupBuilder(context);
    var grpc = MeasuredCatalog.grpc("grpc", "gRPC, lookups or trades", large);
    setup.add(grpc, 2, List.of(GrpcCallKind.LOOKUP));
    setup.add(grpc, 2, List.of(GrpcCallKind.TRADE));
    setup.add(
        MeasuredCatalog.grpc("grpc-mixed", "gRPC, both at random, while prices change", large)
            .withUpdates(),
        2,
        List.of(GrpcCallKind.LOOKUP, GrpcCallKind.TRADE));
    for (LinePool linePool : linePools) {
      var catalog = Objects.requireNonNull(catalogs.get(linePool.name()));
      setup.add(
          linePool.target(catalog), Math.min(2, linePool.threads), List.of(GrpcCallKind.LOOKUP));
    }
    return setup.build();
  }

  /// A thread pool that serves the line protocol.
  private record LinePool(String serving, int threads) {
    String name() {
      return serving + "-" + threads;
    }

    List<String> settings() {
      return List.of(
          "--toystore.catalog.line-serving=" + serving, "--toystore.catalog.line-pool=" + threads);
    }

    MeasuredCatalog target(CatalogOnly catalog) {
      String what =
          "the line protocol, %d thread%s, each serves a %s"
              .formatted(threads, threads == 1 ? "" : "s", serving);
      var target = MeasuredCatalog.line(name(), what, catalog);
      return serving.equals("connection") ? target.baseline("request-" + threads) : target;
    }
  }

  private static List<LinePool> linePools(List<Integer> sizes) {
    var linePools = new ArrayList<LinePool>();
    linePools.add(new LinePool("request", LARGE));
    for (int size : sizes) {
      linePools.add(new LinePool("request", size));
      linePools.add(new LinePool("connection", size));
    }
    return linePools;
  }
}
