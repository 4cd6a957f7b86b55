package toystore.cli;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Stops the store in order on Ctrl-C, SIGTERM and SIGHUP. The exit code is then 0 instead of the
/// JVM's exit code for signals.
final class StopSignal implements AutoCloseable {
  private static final Duration TIMEOUT = LauncherTimeouts.USUAL.stop().multipliedBy(8);

  private final CountDownLatch done = new CountDownLatch(1);
  private final Thread hook;

  private StopSignal(Supervisor supervisor) {
    hook = new Thread(() -> stop(supervisor), "stop");
  }

  /// Installs the signal handler: from now on a signal stops the supervisor.
  static StopSignal to(Supervisor supervisor) {
    var signal = new StopSignal(supervisor);
    Runtime.getRuntime().addShutdownHook(signal.hook);
    return signal;
  }

  /// Called when all processes have stopped and all files are cleaned up: the JVM may exit.
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
      exitCode = done.await(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS) ? 0 : 1;
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
    }
    System.out.flush();
    Runtime.getRuntime().halt(exitCode);
  }
}
