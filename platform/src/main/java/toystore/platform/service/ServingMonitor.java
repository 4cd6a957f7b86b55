package toystore.platform.service;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;
import toystore.platform.rpc.NotServingEvent;

/// While this process must not answer calls ([toystore.platform.storage.Database#notServing]), it
/// publishes [NotServingEvent] ten times a second, so that all watches end, also those that began
/// meanwhile, and their callers look for the process that serves.
final class ServingMonitor implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ServingMonitor.class);
  private static final long INTERVAL_MILLIS = 100;

  private final ScheduledExecutorService scheduler =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("serving-monitor").factory());

  /// @param notServing why no call may be answered, or null; must not block
  ServingMonitor(Supplier<@Nullable String> notServing, ApplicationEventPublisher events) {
    scheduler.scheduleWithFixedDelay(
        () -> {
          String reason = notServing.get();
          if (reason != null) {
            publish(new NotServingEvent(reason), events);
          }
        },
        INTERVAL_MILLIS,
        INTERVAL_MILLIS,
        TimeUnit.MILLISECONDS);
  }

  private static void publish(NotServingEvent event, ApplicationEventPublisher events) {
    try {
      events.publishEvent(event);
    } catch (RuntimeException bug) { // would end the schedule
      log.error("a listener failed, trying again", bug);
    }
  }

  @Override
  public void close() {
    scheduler.shutdownNow();
  }
}
