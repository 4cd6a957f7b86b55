package toystore.cli.console;

import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import toystore.cli.console.ConsoleServer.ApiRequest;
import toystore.cli.console.Faults.FaultOrder;
import toystore.cli.console.Faults.FaultView;
import toystore.cli.console.Loads.LoadOrder;
import toystore.cli.console.Loads.LoadView;
import toystore.cli.console.Loads.SweepView;
import toystore.cli.console.Topology.TopologyView;
import toystore.cli.launch.ConsolePage;
import toystore.cli.launch.DataFolder;
import toystore.cli.launch.JavaCommandLine;
import toystore.cli.launch.ProcessSpec;
import toystore.cli.launch.StorePlan;

/// The console of `./toystore up` and its API:
///
/// ```
/// GET    /api/state?after=SECOND   everything that changes; the load's seconds after that one
/// GET    /api/published            what others measured
/// GET    /api/process?name=NAME    the end of a process's log, and its settings
/// POST   /api/load                 {"kind","clients","probability"}: starts a load
/// DELETE /api/load                 stops it
/// POST   /api/sweep                starts a sweep
/// POST   /api/fault                {"kind","process","peer"}: injects a fault
/// DELETE /api/fault                ends it, if it lasts
/// POST   /api/audit                the full audit
/// ```
public final class Console implements ConsolePage {
  private final StorePlan plan;
  private final Topology topology;
  private final Loads loads;
  private final Faults faults;
  private @Nullable ConsoleServer server;

  /// Everything that changes.
  ///
  /// @param shop the address of the shop's page
  record ConsoleState(
      String shop,
      TopologyView topology,
      LoadView load,
      SweepView sweep,
      @Nullable FaultView fault) {}

  public Console(StorePlan plan, DataFolder folder) {
    this.plan = plan;
    this.topology = new Topology(plan);
    var administrator = new AdministratorCalls(folder);
    this.loads = new Loads(plan.layout().url(), administrator);
    this.faults = new Faults(plan.layout().url(), plan.database(), administrator, topology, loads);
  }

  @Override
  public void onStarted(ProcessSpec part, Process process) {
    topology.onStarted(part, process);
  }

  @Override
  public synchronized String serve() throws IOException {
    topology.start();
    server = new ConsoleServer(plan.layout().ports().console(), this::answer);
    return server.url();
  }

  private Object answer(ApiRequest request) throws IOException, InterruptedException {
    return switch (request.call()) {
      case "GET /api/state" ->
          new ConsoleState(
              plan.layout().url(),
              topology.view(),
              loads.view(request.number("after")),
              loads.sweep(),
              faults.view());
      case "GET /api/published" -> PublishedMeans.read(JavaCommandLine.projectFolder());
      case "GET /api/process" ->
          ProcessDetails.of(topology.process(request.parameter("name")).part());
      case "POST /api/audit" -> faults.audit("?full=true");
      default -> {
        change(request);
        yield Map.of();
      }
    };
  }

  private void change(ApiRequest request) throws IOException, InterruptedException {
    switch (request.call()) {
      case "POST /api/load" -> loads.start(request.body(LoadOrder.class));
      case "DELETE /api/load" -> loads.stop();
      case "POST /api/sweep" -> loads.startSweep();
      case "POST /api/fault" -> faults.inject(request.body(FaultOrder.class));
      case "DELETE /api/fault" -> faults.end();
      default -> throw new ConsoleRefusal(404, "no such call: %s", request.call());
    }
  }

  @Override
  public synchronized void close() {
    if (server != null) {
      server.close();
      server = null;
    }
    faults.close();
    loads.close();
    topology.close();
  }
}
