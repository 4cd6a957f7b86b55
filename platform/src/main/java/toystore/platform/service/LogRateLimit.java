package toystore.platform.service;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;

/// Drops the messages of a logger beyond [#MAX_PER_MINUTE], so that no client fills the disk with
/// requests that are logged, such as those that read a damaged row. The next minute begins with
/// their number. DEBUG and TRACE, which an operator turns on, are not limited. Logback's own filter
/// of repeated messages never forgets, and would hide the next fault. Any thread.
final class LogRateLimit extends TurboFilter {
  static final int MAX_PER_MINUTE = 100;

  private static final long MINUTE_NANOS = Duration.ofMinutes(1).toNanos();

  private final LongSupplier nanoTime;
  private final Map<String, Minute> minutes = new ConcurrentHashMap<>(); // by logger: a class

  LogRateLimit(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /// Adds the limit to Logback, once.
  static void install() {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext logback
        && logback.getTurboFilterList().stream().noneMatch(LogRateLimit.class::isInstance)) {
      logback.addTurboFilter(new LogRateLimit(System::nanoTime));
    }
  }

  @Override
  public FilterReply decide(
      @Nullable Marker marker,
      Logger logger,
      Level level,
      @Nullable String format,
      Object @Nullable [] parameters,
      @Nullable Throwable failure) {
    if (format == null // no message: it is asked whether the level is enabled
        || !level.isGreaterOrEqual(Level.INFO)
        || !level.isGreaterOrEqual(logger.getEffectiveLevel())) {
      return FilterReply.NEUTRAL;
    }
    long now = nanoTime.getAsLong();
    Minute minute =
        minutes.compute(
            logger.getName(),
            (_, last) -> last == null || now - last.begin >= MINUTE_NANOS ? next(last, now) : last);
    int number = minute.messages.incrementAndGet();
    if (number == 1 && minute.droppedBefore > 0) {
      logger.warn(
          "{} messages of this logger were dropped: more than {} in a minute",
          minute.droppedBefore,
          MAX_PER_MINUTE);
    }
    return number <= MAX_PER_MINUTE ? FilterReply.NEUTRAL : FilterReply.DENY;
  }

  private static Minute next(@Nullable Minute last, long now) {
    int dropped = last == null ? 0 : Math.max(0, last.messages.get() - MAX_PER_MINUTE);
    return new Minute(now, dropped, new AtomicInteger());
  }

  /// The messages of one logger in a minute.
  private record Minute(long begin, int droppedBefore, AtomicInteger messages) {}
}
