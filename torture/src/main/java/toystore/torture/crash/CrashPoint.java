package toystore.torture.crash;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicLong;

/// Where a service may kill itself. Which one it is, and at which passage, says a system property,
/// as in `-Dcrash.point=BEFORE_COMMIT:37`. Any thread.
public enum CrashPoint {
  /// Of a ledger's batch.
  BEFORE_COMMIT,
  /// The batch is durable, and no reader sees it.
  BEFORE_PUBLISHING,
  /// Readers see the batch; or, at the frontend, the order is placed. Whoever asked knows nothing.
  BEFORE_ANSWER,
  /// The order service has heard that it was sold.
  BEFORE_ENTERING,
  /// It has entered that, and has not answered.
  AFTER_ENTERING;

  private static final String PROPERTY = "crash.point";
  private static final int SIGKILL = 9;
  private static final String[] SELECTED = System.getProperty(PROPERTY, "none:0").split(":");
  private static final AtomicLong REMAINING = new AtomicLong(Long.parseLong(SELECTED[1]));

  /// The JVM's option that names this point.
  ///
  /// @param passage from 1
  public String option(long passage) {
    return "-D%s=%s:%d".formatted(PROPERTY, this, passage);
  }

  /// Passes the point, or dies there.
  public void killIfReached() {
    if (name().equals(SELECTED[0]) && REMAINING.decrementAndGet() == 0) {
      System.err.println("killing this process at crash point " + this);
      kill();
    }
  }

  /// Has the kernel kill this process before the next instruction, as nobody in it can notice.
  private static void kill() {
    var linker = Linker.nativeLinker();
    var signature =
        FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT);
    var kill = linker.downcallHandle(linker.defaultLookup().findOrThrow("kill"), signature);
    try {
      int failed = (int) kill.invokeExact((int) ProcessHandle.current().pid(), SIGKILL);
      throw new IllegalStateException("kill(2) returned " + failed);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
