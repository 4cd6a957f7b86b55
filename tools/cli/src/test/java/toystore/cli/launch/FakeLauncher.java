package toystore.cli.launch;

import java.nio.file.Path;
import java.util.List;

/// A launcher with one fake service. A test starts it as a process and kills it. Arguments: `PORT
/// FOLDER`. When the store is ready, the launcher prints the pid of the service.
final class FakeLauncher {
  private FakeLauncher() {}

  public static void main(String[] arguments) throws Exception {
    var part = FakeService.part("a", Integer.parseInt(arguments[0]));
    var process =
        FakeService.process(part, Path.of(arguments[1]), FakeService.FakeBehaviour.HEALTHY);
    var events = new RecordedEvents();
    var supervisor = new Supervisor(List.of(part), same -> process, LauncherTimeouts.USUAL, events);
    Thread.ofPlatform()
        .start(() -> {
          events.await("store ready");
          System.out.println(events.pid("a"));
        });
    supervisor.run();
  }
}
