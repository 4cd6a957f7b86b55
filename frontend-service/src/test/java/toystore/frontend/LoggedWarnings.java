package toystore.frontend;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/// What is logged at WARN or above between its creation and its end.
public final class LoggedWarnings implements AutoCloseable {
  private static final Logger ROOT = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);

  private final ListAppender<ILoggingEvent> events = new ListAppender<>();

  public LoggedWarnings() {
    events.list = new CopyOnWriteArrayList<>();
    events.start();
    ROOT.addAppender(events);
  }

  public List<String> lines() {
    return events.list.stream()
        .filter(it -> it.getLevel().isGreaterOrEqual(Level.WARN))
        .map(it -> it.getLevel() + " " + it.getLoggerName() + ": " + it.getFormattedMessage())
        .toList();
  }

  @Override
  public void close() {
    ROOT.detachAppender(events);
  }
}
