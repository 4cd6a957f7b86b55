package toystore.cli;

import java.nio.file.Path;
import java.util.List;

/// A launcher as a process of its own, to be killed: `PORT FOLDER`. Prints its service's pid when
/// it is ready.
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
