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

class BatchIdempotencyTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  /// A change that needs no permanent record.
  private record Change() implements KeyedCommand<KeyedDecider, String> {
    @Override
    public Answer<String> decide(KeyedDecider decider, @Nullable RequestKey key, Instant now) {
      return new Done<>("changed");
    }

    @Override
    public List<Object> values() {
      return List.of("change");
    }

    @Override
    public Retention retention() {
      return Retention.ONE_DAY;
    }
  }

  @Test
  void changeThatNeedsNoPermanentRecordIsKeptForADay() throws SQLException {
    var keys = new BatchIdempotency(_ -> null, () -> NOW);
    var key = new RequestKey("s", "k", false);
    new Submitted<>(new Change(), key, null, () -> false).decide(() -> keys);
    assertThat(keys.records())
        .singleElement()
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
}
