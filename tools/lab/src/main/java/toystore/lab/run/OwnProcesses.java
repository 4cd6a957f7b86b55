package toystore.lab.run;

import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/// The processes that this program started: stores, load clients.
public final class OwnProcesses {
  private static final int STOP_SECONDS = 30;

  private OwnProcesses() {}

  /// Stops those that still run when this program is stopped, by Ctrl-C or SIGTERM.
  public static void stopAtExit() {
    Runtime.getRuntime().addShutdownHook(new Thread(OwnProcesses::stop, "stop-processes"));
  }

  /// Stops all and waits for their end; then those that they started and left behind, such as a
  /// build.
  static void stop() {
    List<ProcessHandle> all = ProcessHandle.current().descendants().toList();
    stop(ProcessHandle.current().children().toList());
    stop(all);
  }

  private static void stop(List<ProcessHandle> processes) {
    processes.forEach(ProcessHandle::destroy);
    for (ProcessHandle process : processes) {
      try {
        process.onExit().orTimeout(STOP_SECONDS, TimeUnit.SECONDS).join();
      } catch (CompletionException timeout) {
        process.destroyForcibly();
      }
    }
  }
}
