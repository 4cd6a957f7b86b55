package toystore.frontend.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class FeedBufferTest {
  private static final Duration SHORT = Duration.ofMillis(1);

  private final FeedBuffer buffer = new FeedBuffer(FeedUser.ADMINISTRATOR, "ACME");

  private static FeedEvent trade(long number, String symbol) {
    return new FeedEvent(number, symbol, () -> "{}");
  }

  private static FeedEvent depth(String symbol) {
    return new FeedEvent(0, symbol, () -> "{}");
  }

  @Test
  void readerReceivesEachTradeAndTheLastDepthOfItsSymbol() throws Exception {
    var latest = depth("ACME");
    buffer.add(trade(1, "ACME"));
    buffer.add(depth("ACME"));
    buffer.add(trade(2, "BEAR"));
    buffer.add(depth("BEAR"));
    buffer.add(trade(3, "ACME"));
    buffer.add(latest);

    assertThat(buffer.take(SHORT).orElseThrow())
        .extracting(FeedEvent::tradeId)
        .containsExactly(1L, 3L, 0L);
    buffer.add(latest);
    assertThat(buffer.take(SHORT)).hasValue(List.of(latest));
  }

  /// Then the reader is sent a heartbeat.
  @Test
  void silenceIsAnEmptyList() throws Exception {
    assertThat(buffer.take(SHORT)).hasValue(List.of());
  }

  @Test
  void slowReaderOverflowsAndMustStop() throws Exception {
    for (long number = 1; number <= FeedBuffer.MAX_TRADES; number++) {
      buffer.add(trade(number, "ACME"));
    }
    assertThat(buffer.hasOverflowed()).isFalse();
    buffer.add(trade(FeedBuffer.MAX_TRADES + 1, "ACME"));

    assertThat(buffer.hasOverflowed()).isTrue();
    assertThat(buffer.take(SHORT)).isEmpty();
    buffer.add(trade(FeedBuffer.MAX_TRADES + 2, "ACME"));
    assertThat(buffer.take(SHORT)).isEmpty();
  }

  @Test
  void readerWhoIsReplayedBeginsAgain() throws Exception {
    buffer.add(trade(1, "ACME"));
    buffer.restart();
    buffer.add(trade(2, "ACME"));
    assertThat(buffer.take(SHORT).orElseThrow()).extracting(FeedEvent::tradeId).containsExactly(2L);
  }

  @Test
  void endedReaderStopsAtOnce() throws Exception {
    buffer.add(trade(1, "ACME"));
    buffer.end();
    assertThat(buffer.take(Duration.ofMinutes(1))).isEmpty();
  }

  /// Two writes show that a connection has closed.
  @Test
  void pingedReaderIsWrittenToTwice() throws Exception {
    buffer.ping();
    assertThat(buffer.take(Duration.ofMinutes(1))).hasValue(List.of());
    assertThat(buffer.take(Duration.ofMinutes(1))).hasValue(List.of());
    buffer.add(trade(1, "ACME"));
    assertThat(buffer.take(Duration.ofMinutes(1)).orElseThrow()).hasSize(1);
  }
}
