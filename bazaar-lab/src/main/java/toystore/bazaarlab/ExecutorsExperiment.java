package toystore.bazaarlab;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.LongStream;
import toystore.gatling.ClientCounts;
import toystore.gatling.ExperimentDesign;
import toystore.gatling.environment.CatalogOnly;

/// Compares executors: how many threads does a catalog need for calls that it answers from memory,
/// how many for calls that read from disk, and what does it answer when all threads are busy?
///
/// | subject             | is called                                                             |
/// |---------------------|-----------------------------------------------------------------------|
/// | `direct`            | lookups, on gRPC's own threads                                        |
/// | `virtual`           | lookups, a virtual thread each                                        |
/// | `workers-N`         | lookups, on N threads                                                 |
/// | `workers-1-busy`    | lookups, on one thread before which one call may wait                 |
/// | `readers-N`         | sales by their numbers, N threads that read from disk                 |
/// | `readers-1-busy`    | sales by their numbers, one such thread before which one may wait     |
public final class ExecutorsExperiment extends ExperimentProgram {
  static final ExperimentDesign DESIGN =
      new ExperimentDesign(
          "executors",
          "Executors",
          "On how many threads should calls run that are answered from memory, on how many those that read from disk, and what is a client told when all are busy?",
          "executors",
          List.of(),
          List.of(),
          new ExperimentDesign.Effort(
              7,
              ClientCounts.parse("1,10,100"),
              Map.of("lookup", 300, "sale", 200, "trade", 10_000),
              0,
              2_000),
          new ExperimentDesign.Effort(
              2,
              ClientCounts.parse("1,10,100"),
              Map.of("lookup", 30, "sale", 30, "trade", 500),
              0,
              100));

  private static final int TRADERS = 20;

  /// One configuration of a catalog's executors.
  private record ExecutorVariant(
      String name, String what, GrpcCallKind grpcCall, List<String> settings, String baseline) {
    MeasuredCatalog target(CatalogOnly catalog) {
      var target = MeasuredCatalog.grpc(name, what, catalog).baseline(baseline);
      return name.endsWith("busy") ? target.mayRefuseCalls() : target;
    }
  }

  public ExecutorsExperiment() {
    super(DESIGN);
  }

  @Override
  Setup prepare(RunContext context) throws IOException, InterruptedException {
    var all = new ArrayList<>(all());
    String some = System.getProperty("executors", ".*"); // a subset, for manual runs
    all.removeIf(each -> !each.name.matches(some));
    var settings = new LinkedHashMap<String, List<String>>();
    all.forEach(each -> settings.put(each.name, each.settings));
    var catalogs = context.environments().catalogs(settings);
    List<Long> sales = List.of();
    for (ExecutorVariant each : all) {
      if (each.grpcCall == GrpcCallKind.SALE) { // new catalogs assign equal numbers
        sales = trade(Objects.requireNonNull(catalogs.get(each.name)), context);
      }
    }
    var setup = new SetupBuilder(context, sales);
    for (ExecutorVariant each : all) {
      var target = each.target(Objects.requireNonNull(catalogs.get(each.name)));
      setup.add(target, 2, List.of(each.grpcCall));
    }
    return setup.build();
  }

  private static List<ExecutorVariant> all() {
    var all = new ArrayList<ExecutorVariant>();
    all.add(workers("direct", "lookups on gRPC's own threads", "direct"));
    all.add(workers("virtual", "lookups, a virtual thread each", "virtual"));
    for (int threads : List.of(1, 5, 10)) {
      all.add(workers("workers-" + threads, "lookups on " + threads(threads), "" + threads));
    }
    all.add(
        new ExecutorVariant(
            "workers-1-busy",
            "lookups on 1 thread, 1 may wait",
            GrpcCallKind.LOOKUP,
            List.of("--toystore.catalog.workers=1", "--toystore.catalog.work-queue=1"),
            "workers-1"));
    for (int threads : List.of(1, 2, 5, 20)) {
      all.add(
          new ExecutorVariant(
              "readers-" + threads,
              "sales from disk, read by " + threads(threads),
              GrpcCallKind.SALE,
              List.of("--toystore.catalog.readers=" + threads),
              "readers-1"));
    }
    all.add(
        new ExecutorVariant(
            "readers-1-busy",
            "sales from disk, read by 1 thread, 1 may wait",
            GrpcCallKind.SALE,
            List.of("--toystore.catalog.readers=1", "--toystore.catalog.read-queue=1"),
            "readers-1"));
    return all;
  }

  private static ExecutorVariant workers(String name, String what, String workers) {
    return new ExecutorVariant(
        name,
        what,
        GrpcCallKind.LOOKUP,
        List.of("--toystore.catalog.workers=" + workers),
        "direct");
  }

  private static String threads(int threads) {
    return threads == 1 ? "1 thread" : threads + " threads";
  }

  /// Adds sales to a new catalog.
  ///
  /// @return their numbers, consecutive
  private static List<Long> trade(CatalogOnly catalog, RunContext context)
      throws IOException, InterruptedException {
    int each = Math.max(1, context.effort().calls().getOrDefault("trade", 0) / TRADERS);
    var workload = GrpcCaller.Workload.of(GrpcCallKind.TRADE);
    var traders = new ArrayList<GrpcCaller>();
    for (int i = 0; i < TRADERS; i++) {
      traders.add(GrpcCaller.connect(catalog.port(), workload, new Random(i)));
    }
    new ConcurrentClients(traders, made -> made < each, _ -> {}).run();
    long last = traders.stream().mapToLong(GrpcCaller::lastNumber).max().orElseThrow();
    return LongStream.rangeClosed(last - (long) TRADERS * each + 1, last).boxed().toList();
  }
}
