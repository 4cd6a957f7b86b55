package toystore.platform.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class BatchIdempotencyTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final byte[] ONE = RequestHash.of(List.of("buy", "Tux", 1));
  private static final byte[] TWO = RequestHash.of(List.of("buy", "Tux", 2));

  private final BatchIdempotency<TestResponse> keys =
      new BatchIdempotency<>(new TestResponse.Replies());

  @Test
  void repeatGetsStoredAnswerWithoutNewDecision() {
    assertThat(answer("k", true, ONE, "sold 0")).isEqualTo(TestResponse.of("sold 0"));
    assertThat(answer("k", true, ONE, "sold 1")).isEqualTo(new TestResponse("sold 0", true));
    assertThat(keys.records())
        .singleElement()
        .returns("POST /orders\nk", IdempotencyRecord::key)
        .returns(null, IdempotencyRecord::until);
  }

  @Test
  void differentRequestWithSameKeyIsRefusedAndFirstRecordStays() {
    answer("k", true, ONE, "sold 0");
    assertThat(answer("k", true, TWO, "sold 1")).isEqualTo(TestResponse.REUSED);
    assertThat(answer("k", true, ONE, "sold 1")).isEqualTo(new TestResponse("sold 0", true));
  }

  @Test
  void refusalIsKeptForADayForClientMadeKey() {
    answer("own", true, ONE, "refused");
    answer("made", false, ONE, "refused");
    answer("late", true, ONE, "late");
    assertThat(keys.records())
        .singleElement()
        .returns("POST /orders\nown", IdempotencyRecord::key)
        .returns(NOW.plusSeconds(24 * 60 * 60), IdempotencyRecord::until);
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

  private TestResponse answer(String value, boolean clientMade, byte[] hash, String decision) {
    var key = new RequestKey(RequestKey.scope("POST", "/orders", null), value, clientMade);
    return keys.answer(key, hash, keys.find(key), NOW, () -> TestResponse.of(decision));
  }
}
