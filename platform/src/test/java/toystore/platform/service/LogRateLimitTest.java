package toystore.platform.service;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LogRateLimitTest {
  private final LoggerContext logback = new LoggerContext();
  private final ListAppender<ILoggingEvent> written = new ListAppender<>();
  private final Logger logger = logback.getLogger("a.Service");
  private long nanos;

  @BeforeEach
  void start() {
    logback.addTurboFilter(new LogRateLimit(() -> nanos));
    logback.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(written);
    written.start();
  }

  @Test
  void messagesOfALoggerAreLimitedPerMinuteAndTheDroppedOnesCounted() {
    for (int i = 0; i < 1_000; i++) {
      logger.error("request {} failed", i, new IllegalStateException("damaged row"));
    }
    logback.getLogger("another.Service").warn("of another logger");
    assertThat(messages())
        .hasSize(101)
        .startsWith("request 0 failed")
        .endsWith("of another logger");

    written.list.clear();
    nanos += Duration.ofMinutes(1).toNanos();
    logger.info("again");
    logger.info("once more");
    assertThat(messages())
        .containsExactly(
            "900 messages of this logger were dropped: more than 100 in a minute",
            "again",
            "once more");
  }

  @Test
  void debugIsNotLimitedAndWhatIsOffDoesNotCount() {
    logger.setLevel(Level.DEBUG);
    for (int i = 0; i < 1_000; i++) {
      logger.debug("detail");
    }
    assertThat(messages()).hasSize(1_000);

    written.list.clear();
    logger.setLevel(Level.ERROR);
    for (int i = 0; i < 1_000; i++) {
      logger.warn("off");
    }
    logger.error("on");
    assertThat(messages()).containsExactly("on");
  }

  /// Boot asks at each check of a health whether it may warn.
  @Test
  void questionWhetherALevelIsOnIsNoMessage() {
    for (int i = 0; i < 1_000; i++) {
      assertThat(logger.isWarnEnabled()).isTrue();
    }
    nanos += Duration.ofMinutes(1).toNanos();
    logger.warn("the only one");
    assertThat(messages()).containsExactly("the only one");
  }

  private List<String> messages() {
    return written.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }
}
