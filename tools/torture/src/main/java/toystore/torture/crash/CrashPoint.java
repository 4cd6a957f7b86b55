package toystore.torture.crash;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/// A point at which a service can kill itself. A system property selects the point and the passage,
/// as in `-Dcrash.point=BEFORE_COMMIT:37`. Any thread.
public enum CrashPoint {
  /// Before the commit of a batch.
  BEFORE_COMMIT,
  /// The batch is durable but not yet visible to readers.
  BEFORE_PUBLISHING,
  /// The batch is visible to readers or, in order service and frontend, the order is placed; the
  /// caller has no response yet.
  BEFORE_ANSWER;

  private static final String PROPERTY = "crash.point";
  private static final int SIGKILL = 9;
  private static final String[] SELECTED = System.getProperty(PROPERTY, "none:0").split(":");
  private static final AtomicLong REMAINING = new AtomicLong(Long.parseLong(SELECTED[1]));

  /// The JVM option that selects this point.
  ///
  /// @param passage the passage at which to die, from 1
  public String option(long passage) {
    return String.format(Locale.ROOT, "-D%s=%s:%d", PROPERTY, this, passage);
  }

  /// Called at the point: kills this process if the point and the passage are selected.
  public void killIfReached() {
    if (name().equals(SELECTED[0]) && REMAINING.decrementAndGet() == 0) {
      System.err.println("killing this process at crash point " + this);
      kill();
    }
  }

  /// Sends SIGKILL to this process, so that no shutdown hook or finally block runs.
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
