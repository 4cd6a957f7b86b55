package toystore.cli.command;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Stops work in order on Ctrl-C, SIGTERM and SIGHUP: runs an action that ends the work, and lets
/// the JVM exit when the work has ended.
public final class ShutdownHook implements AutoCloseable {
  private static final Duration TIMEOUT =
      Duration.ofSeconds(80); // up to eight processes, 10 s each

  private final CountDownLatch done = new CountDownLatch(1);
  private final Thread hook;

  private ShutdownHook(Runnable stop, boolean exitsWithZero) {
    hook =
        new Thread(
            () -> {
              stop.run();
              boolean ended = awaitEnd();
              System.out.flush();
              if (exitsWithZero) {
                Runtime.getRuntime().halt(ended ? 0 : 1);
              }
            },
            "stop");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /// From now on a signal runs the action. The exit code is the JVM's for the signal, such as 130.
  public static ShutdownHook to(Runnable stop) {
    return new ShutdownHook(stop, false);
  }

  /// From now on a signal runs the action. The exit code is 0 if the work then ends in time.
  public static ShutdownHook toEndWell(Runnable stop) {
    return new ShutdownHook(stop, true);
  }

  /// Waits until a process exits. If this program is stopped meanwhile, it stops the process and
  /// waits for it, so that the process can stop its own.
  ///
  /// @return its exit code
  public static int waitFor(Process process) throws InterruptedException {
    try (ShutdownHook _ = to(process.toHandle()::destroy)) {
      return process.waitFor();
    }
  }

  /// Called when the work has ended and all files are cleaned up: the JVM may exit.
  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException signalled) {
      done.countDown();
    }
  }

  private boolean awaitEnd() {
    try {
      return done.await(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
