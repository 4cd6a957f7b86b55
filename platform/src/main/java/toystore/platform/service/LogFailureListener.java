package toystore.platform.service;

import static toystore.common.RootLocale.format;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.status.Status;
import ch.qos.logback.core.status.StatusListener;
import ch.qos.logback.core.status.StatusManager;
import java.io.PrintStream;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.LoggerFactory;

/// Prints in one line, and once, that a log cannot be written, for example because the disk is
/// full. Logback and Spring Boot would print the stack trace of each failure. Any thread.
final class LogFailureListener implements StatusListener {
  private final PrintStream out;
  private final AtomicBoolean told = new AtomicBoolean();

  LogFailureListener(PrintStream out) {
    this.out = out;
  }

  /// Replaces the listeners that Spring Boot has added to Logback.
  static void install() {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext logback) {
      StatusManager statuses = logback.getStatusManager();
      statuses.getCopyOfStatusListenerList().forEach(statuses::remove);
      statuses.add(new LogFailureListener(System.err));
    }
  }

  @Override
  public void addStatusEvent(Status status) {
    if (status.getLevel() >= Status.ERROR && !told.getAndSet(true)) {
      Throwable cause = status.getThrowable();
      out.println(
          format(
                  "logging failed, further failures are not reported: %s%s",
                  status.getMessage(), cause == null ? "" : ": " + cause.getMessage())
              .replaceAll("\\R\\s*", " | "));
      out.flush();
    }
  }
}
