package toystore.platform.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.sql.SQLException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import toystore.platform.idempotency.Answer.Done;
import toystore.platform.idempotency.Answer.NotDecided;
import toystore.platform.idempotency.Answer.Refusal;

class BatchIdempotencyTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final int ONE = 1;
  private static final int TWO = 2;

  private final BatchIdempotency<TestRefusal> keys = new BatchIdempotency<>(_ -> null, () -> NOW);

  /// A command that is answered as the test says.
  private record Buy(int units, Answer<String, TestRefusal> answer)
      implements KeyedCommand<KeyedDecider<TestRefusal>, String, TestRefusal> {
    @Override
    public Answer<String, TestRefusal> decide(
        KeyedDecider<TestRefusal> decider, @Nullable RequestKey key, Instant now) {
      return answer;
    }

    @Override
    public List<Object> values() {
      return List.of("buy", units);
    }

    @Override
    public Retention retention() {
      return units == ONE ? Retention.FOREVER : Retention.ONE_DAY;
    }
  }

  @Test
  void repeatGetsStoredAnswerWithoutNewDecision() throws SQLException {
    assertThat(answer("k", true, ONE, new Done<>("sold 0"))).isEqualTo(new Done<>("sold 0"));
    assertThat(answer("k", true, ONE, new Done<>("sold 1"))).isEqualTo(new Done<>("sold 0", true));
    assertThat(keys.records())
        .singleElement()
        .returns("POST /orders\nk", IdempotencyRecord::key)
        .returns(null, IdempotencyRecord::until);
  }

  @Test
  void differentRequestWithSameKeyIsRefusedAndFirstRecordStays() throws SQLException {
    answer("k", true, ONE, new Done<>("sold 0"));
    assertThat(answer("k", true, TWO, new Done<>("sold 1")))
        .isEqualTo(new NotDecided<>(Answer.Cause.KEY_REUSED));
    assertThat(answer("k", true, ONE, new Done<>("sold 1"))).isEqualTo(new Done<>("sold 0", true));
  }

  @Test
  void refusalIsKeptForADayForClientMadeKey() throws SQLException {
    answer("own", true, ONE, new Refusal<>(TestRefusal.KEPT, "no"));
    answer("made", false, ONE, new Refusal<>(TestRefusal.KEPT, "no"));
    answer("late", true, ONE, new Refusal<>(TestRefusal.NOT_KEPT, "no"));
    assertThat(answer("own", true, ONE, new Done<>("sold 0")))
        .isEqualTo(new Refusal<>(TestRefusal.KEPT, "no", true));
    assertThat(keys.records())
        .singleElement()
        .returns("POST /orders\nown", IdempotencyRecord::key)
        .returns(NOW.plusSeconds(24 * 60 * 60), IdempotencyRecord::until);
  }

  @Test
  void changeThatNeedsNoPermanentRecordIsKeptForADay() throws SQLException {
    answer("k", false, TWO, new Done<>("sold 0"));
    assertThat(keys.records())
        .singleElement()
        .returns(NOW.plusSeconds(24 * 60 * 60), IdempotencyRecord::until);
  }

  @Test
  void commandIsNotDecidedAfterItsDeadlineOrForACallerThatCancelled() throws SQLException {
    var key = new RequestKey("s", "k", true);
    var buy = new Buy(ONE, new Done<>("sold 0"));
    var tooLate = new NotDecided<>(Answer.Cause.TOO_LATE);
    assertThat(decide(new Submitted<>(buy, key, NOW.minusNanos(1), () -> false)))
        .isEqualTo(tooLate);
    assertThat(decide(new Submitted<>(buy, null, NOW, () -> true))).isEqualTo(tooLate);
    assertThat(decide(new Submitted<>(buy, key, NOW, () -> false))).isEqualTo(new Done<>("sold 0"));
  }

  @Test
  void sameKeyOfAnotherUserOrPathIsIndependent() {
    assertThat(
            List.of(
                RequestKey.scope("POST", "/orders", null),
                RequestKey.scope("POST", "/orders", "7"),
                RequestKey.scope("POST", "/orders", "8"),
                RequestKey.scope("POST", "/buy", "7")))
        .doesNotHaveDuplicates()
        .startsWith("POST /orders");
  }

  @Test
  void invalidKeyIsRefused() {
    for (String value : List.of("", "a\nb", "é", "x".repeat(256))) {
      assertThatIllegalArgumentException().isThrownBy(() -> new RequestKey("s", value, true));
    }
    assertThatIllegalArgumentException().isThrownBy(() -> new RequestKey("a\nb", "k", true));
  }

  /// Hashes are stored on disk, so their values must not change.
  @Test
  void requestHashIsStable() {
    assertThat(
            HexFormat.of()
                .formatHex(RequestHash.of(List.of("sell", "STORE", "ORDER", false, "Tux", 1))))
        .isEqualTo("0bc70f3a543586233e3595e5dec00827196681cdefe3fbb51f220856fd4952ba");
  }

  private Answer<String, TestRefusal> answer(
      String value, boolean clientMade, int units, Answer<String, TestRefusal> decision)
      throws SQLException {
    var key = new RequestKey(RequestKey.scope("POST", "/orders", null), value, clientMade);
    return decide(new Submitted<>(new Buy(units, decision), key, null, () -> false));
  }

  private Answer<String, TestRefusal> decide(
      Submitted<KeyedDecider<TestRefusal>, String, TestRefusal> buy) throws SQLException {
    return buy.decide(() -> keys);
  }
}
