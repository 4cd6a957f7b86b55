package toystore.cli;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Ctrl-C, SIGTERM and SIGHUP stop the store in order. The exit code is 0 then, where the JVM by
/// itself would say that a signal ended it.
final class StopSignal implements AutoCloseable {
  private static final Duration LONGEST = LauncherTimeouts.USUAL.stop().multipliedBy(8);

  private final CountDownLatch done = new CountDownLatch(1);
  private final Thread hook;

  private StopSignal(Supervisor supervisor) {
    hook = new Thread(() -> stop(supervisor), "stop");
  }

  /// From now on a signal stops what the supervisor keeps.
  static StopSignal to(Supervisor supervisor) {
    var signal = new StopSignal(supervisor);
    Runtime.getRuntime().addShutdownHook(signal.hook);
    return signal;
  }

  /// All is stopped and cleared away: the process may end.
  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException signalled) {
      done.countDown();
    }
  }

  private void stop(Supervisor supervisor) {
    supervisor.stop();
    var exitCode = 1;
    try {
      exitCode = done.await(LONGEST.toMillis(), TimeUnit.MILLISECONDS) ? 0 : 1;
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
    }
    System.out.flush();
    Runtime.getRuntime().halt(exitCode);
  }
}
