package toystore.frontend.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import toystore.frontend.exchange.FeedLog.Cursor;

class FeedLogTest {
  private static final Duration SHORT = Duration.ofMillis(1);
  private static final Cursor NOTHING = new Cursor(0, 0);

  private final FeedLog log = new FeedLog();
  private final FeedReader reader = new FeedReader("buyer 7", 1, "ACME");

  private static FeedLog.Event trade(long number, String symbol) {
    return new FeedLog.Event(number, symbol, () -> "{}");
  }

  private static FeedLog.Event depth(String symbol) {
    return new FeedLog.Event(0, symbol, () -> "{}");
  }

  private List<FeedLog.Event> after(Cursor cursor) {
    return log.after(cursor, reader).orElseThrow().events();
  }

  @Test
  void readerReceivesEachTradeAndTheLastDepthOfItsSymbol() {
    log.begin(0);
    var first = trade(1, "ACME");
    var second = trade(3, "ACME");
    var latest = depth("ACME");
    log.add(first);
    log.add(depth("ACME"));
    log.add(trade(2, "BEAR"));
    log.add(depth("BEAR"));
    log.add(second);
    log.add(latest);

    assertThat(after(NOTHING)).containsExactly(first, second, latest);
    assertThat(after(new Cursor(1, 2))).containsExactly(second, latest);
    assertThat(after(log.after(NOTHING, reader).orElseThrow().next())).isEmpty();
    assertThat(log.after(NOTHING, new FeedReader("buyer 7", 1, "")).orElseThrow().events())
        .hasSize(5);
  }

  @Test
  void logResumesAReaderIfItHasAllThatWasMissed() {
    var second = trade(2, "ACME");
    var depth = depth("ACME");
    assertThat(log.resume(OptionalLong.of(0), reader)).as("before the log begins").isEmpty();
    log.begin(0);
    log.add(trade(1, "ACME"));
    log.add(second);
    assertThat(log.resume(OptionalLong.of(1), reader)).as("unknown depth").isEmpty();
    log.add(depth);
    log.add(trade(3, "BEAR"));
    assertThat(log.resume(OptionalLong.of(1), reader))
        .hasValue(new FeedLog.Page(List.of(second, depth), new Cursor(3, 1)));
    assertThat(log.resume(OptionalLong.of(4), reader)).as("of a later backup").isEmpty();
    assertThat(log.resume(OptionalLong.empty(), reader)).isEmpty();
    var all = new FeedReader("buyer 7", 1, "");
    assertThat(log.resume(OptionalLong.of(0), all).orElseThrow().events()).hasSize(3);
  }

  @Test
  void logResumesNobodyWhileItMayBeOld() {
    log.begin(0);
    log.add(trade(1, "ACME"));
    log.add(depth("ACME"));
    assertThat(log.resume(OptionalLong.of(1), reader)).isPresent();
    log.end();
    assertThat(log.resume(OptionalLong.of(1), reader)).as("the exchange is away").isEmpty();
    assertThat(after(NOTHING)).as("for a reader before").hasSize(2);
    log.begin(1);
    assertThat(log.resume(OptionalLong.of(1), reader)).as("depth may be old").isEmpty();
    log.add(depth("ACME"));
    assertThat(log.resume(OptionalLong.of(1), reader)).isPresent();
  }

  @Test
  void readerWhoKnowsLessThanTheLogReadsWhatItMissedFromTheExchange() {
    assertThat(after(NOTHING)).as("before the log begins").isEmpty();
    log.begin(7);
    assertThat(log.after(new Cursor(6, 0), reader)).isEmpty();
    assertThat(after(new Cursor(7, 0))).isEmpty();
    for (long number = 8; number <= 7 + FeedLog.MAX_TRADES; number++) {
      log.add(trade(number, "ACME"));
    }
    assertThat(after(new Cursor(7, 0))).hasSize(FeedLog.MAX_TRADES);
    log.add(trade(8 + FeedLog.MAX_TRADES, "ACME"));
    assertThat(log.after(new Cursor(7, 0), reader)).isEmpty();
    assertThat(after(new Cursor(8, 0))).hasSize(FeedLog.MAX_TRADES);
  }

  @Test
  void depthsOfTheSymbolsThatChangedLastAreKept() {
    log.begin(0);
    for (int i = 0; i <= FeedLog.MAX_DEPTHS; i++) {
      log.add(depth(i == 0 ? "ACME" : "S" + i));
    }
    assertThat(after(NOTHING)).isEmpty();
    log.add(depth("ACME"));
    assertThat(after(NOTHING)).hasSize(1);
  }

  @Test
  void callThatIsRepeatedContinues() {
    log.begin(0);
    log.add(trade(1, "ACME"));
    log.begin(1);
    assertThat(log.last()).isEqualTo(1);
    log.add(trade(2, "ACME"));
    assertThat(after(NOTHING)).hasSize(2);
  }

  @Test
  void allReadersOfARestoredExchangeEnd() {
    log.readers().add(reader);
    log.begin(5);
    log.add(trade(6, "ACME"));
    log.begin(3);
    assertThat(reader.hasEnded()).isTrue();
    assertThat(after(new Cursor(3, 0))).isEmpty();
  }

  @Test
  void readerIsWokenByItsEventsAndItsEndOnly() throws Exception {
    log.readers().add(reader);
    log.begin(0);
    log.add(trade(1, "BEAR"));
    assertThat(reader.await(SHORT)).isFalse();
    log.add(trade(2, "ACME"));
    log.add(trade(3, "ACME"));
    assertThat(reader.await(Duration.ofMinutes(1))).isTrue();
    assertThat(reader.await(SHORT)).isFalse();
    reader.end();
    assertThat(reader.await(Duration.ofMinutes(1))).isTrue();
    assertThat(reader.hasEnded()).isTrue();
  }
}
