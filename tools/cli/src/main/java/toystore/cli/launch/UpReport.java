package toystore.cli.launch;

import java.io.IOException;
import java.net.InetAddress;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Prints the progress of `up` and writes it to `up.properties` for `status`.
final class UpReport implements Supervisor.Listener {
  private final DataFolder folder;
  private final StorePlan plan;
  private final InetAddress address;
  private final BackgroundTraining training;
  private final @Nullable ConsolePage console;
  private RunState state;

  UpReport(
      DataFolder folder,
      StorePlan plan,
      InetAddress address,
      BackgroundTraining training,
      @Nullable ConsolePage console) {
    this.folder = folder;
    this.plan = plan;
    this.address = address;
    this.training = training;
    this.console = console;
    this.state =
        new RunState(
            ProcessHandle.current().pid(),
            plan.layout(),
            Instant.now(),
            plan.databases(System.getenv()),
            Map.of());
  }

  @Override
  public void onStarted(ProcessSpec part, Process process) {
    if (console != null) {
      console.onStarted(part, process);
    }
    state = state.with(part, process.pid());
    try {
      state.write(folder.upProperties());
    } catch (IOException e) {
      warn("cannot write %s: %s", folder.upProperties(), e);
    }
  }

  /// Called when the store works, so that a start with a wrong URL changes nothing.
  private void recordDatabase() {
    String database = plan.database();
    if (database != null) {
      try {
        folder.writePostgresql(database);
      } catch (IOException e) {
        warn("cannot write into %s: %s", folder.path(), e);
      }
    }
  }

  @Override
  public void ready(ProcessSpec part, long pid, boolean standby) {
    for (ProcessSpec.Service service : part.services()) {
      say("%-18s  pid %d, %s%s", service.name(), pid, service.describePorts(), role(part, standby));
    }
  }

  private String role(ProcessSpec part, boolean standby) {
    if (!plan.layout().standby() || part.app().equals(plan.frontend().program())) {
      return "";
    }
    return standby ? ", standby" : ", active";
  }

  @Override
  public void lateStarting() {
    recordDatabase();
    say("the store sells at %s; the other processes are starting", plan.layout().url());
  }

  @Override
  public void starting(List<String> names) {
    say("starting: " + String.join(", ", names));
  }

  @Override
  public void storeReady() {
    String url = plan.layout().url();
    say("ready " + url);
    recordDatabase();
    if (plan.database() != null) {
      say("data in " + plan.database());
    }
    say("  curl %s/products/Tux", url);
    say("  curl -d '{\"name\":\"Tux\",\"quantity\":1}' %s/orders", url);
    say("management http://127.0.0.1:" + plan.layout().ports().management(plan.frontend(), 1));
    say(
        System.getenv(DataFolder.TOKEN_VARIABLE) == null
            ? "administrator's token in " + folder.adminToken()
            : "administrator's token as given in " + DataFolder.TOKEN_VARIABLE);
    if (!address.isLoopbackAddress()) {
      say(
          "reachable from %s on port %d over unencrypted HTTP; gRPC, XML and management ports listen"
              + " on 127.0.0.1 only",
          address.isAnyLocalAddress()
              ? "every network of this machine"
              : "the network of " + plan.layout().listen(),
          plan.layout().ports().frontend());
    }
    if (console != null) {
      try {
        say("console " + console.serve());
      } catch (IOException e) {
        warn("the console is not served: %s", e);
      }
    }
    try {
      training.start();
    } catch (IOException e) {
      warn("startup caches are not created, so later starts take longer: " + e.getMessage());
    }
  }

  @Override
  public void say(String line) {
    System.out.println(line);
  }

  @Override
  public void warn(String line) {
    System.err.println(line);
  }
}
