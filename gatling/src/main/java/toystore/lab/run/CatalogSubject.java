package toystore.lab.run;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import toystore.lab.load.PriceUpdater;

/// A catalog service alone, called over gRPC (the subject's URL) and over the line protocol
/// (`{line_port}` of the scenario). Its condition `updates` changes prices meanwhile.
///
/// @param home the project folder
/// @param settings such as `--toystore.catalog.workers=5`
record CatalogSubject(String name, String description, Path home, List<String> settings)
    implements Subject {
  private static final List<String> STOCKS = List.of("GameStart", "FishCo", "BoarCo", "MenhirCo");

  /// Writes products that never run out of stock, and stocks that any number of trades can sell.
  static Path products(Path folder) throws IOException {
    var lines = new StringBuilder("name,price,quantity,category,max_volume\n");
    LauncherSubject.products().forEach(it -> lines.append("%s,9.99,1000000000,,%n".formatted(it)));
    STOCKS.forEach(it -> lines.append("%s,15.99,1000000000,Stocks,9000000000000%n".formatted(it)));
    return Files.writeString(folder.resolve("catalog.csv"), lines);
  }

  @Override
  public boolean hasCondition(String condition) {
    return condition.isEmpty() || condition.equals("updates");
  }

  @Override
  public Running start(Path folder) throws IOException, InterruptedException {
    List<Integer> ports = LabService.freePorts(2);
    var all = new ArrayList<String>();
    all.add("--toystore.catalog.file=" + products(folder).toAbsolutePath());
    all.add("--toystore.catalog.line-port=" + ports.getLast());
    all.addAll(settings);
    var catalog = LabService.start(home, folder, "catalog", ports.getFirst(), all);
    return new RunningCatalog(catalog, ports.getLast());
  }

  private static final class RunningCatalog implements Running {
    private final LabService catalog;
    private final int linePort;
    private final long readyMillis = System.currentTimeMillis();
    private PriceUpdater updater = PriceUpdater.NONE;

    RunningCatalog(LabService catalog, int linePort) {
      this.catalog = catalog;
      this.linePort = linePort;
    }

    @Override
    public URI url() {
      return URI.create("grpc://127.0.0.1:" + catalog.port());
    }

    @Override
    public Map<String, Long> pids() {
      return Map.of("catalog", catalog.pid());
    }

    @Override
    public Map<String, URI> metrics() {
      return Map.of("catalog", catalog.metrics());
    }

    @Override
    public Map<String, List<String>> values() {
      return Map.of("line_port", List.of(Integer.toString(linePort)));
    }

    @Override
    public URI apply(String condition) {
      updater.close();
      updater = condition.equals("updates") ? PriceUpdater.start(url()) : PriceUpdater.NONE;
      return url();
    }

    @Override
    public long readyMillis() {
      return readyMillis;
    }

    @Override
    public void close() throws InterruptedException {
      updater.close();
      catalog.close();
    }
  }
}
