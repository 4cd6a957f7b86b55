package toystore.platform.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import toystore.platform.error.ErrorReason;

class RpcErrorTest {
  @Test
  void retryDelayIsSentToTheCaller() {
    var error =
        new RpcError(ErrorReason.TOO_MANY_LOGINS, "retry later", false, Duration.ofMillis(299_500));

    assertThat(RpcError.of(error.toException())).isEqualTo(error);
  }

  @Test
  void overloadIsRetriedAfterASecondAndOtherErrorsStateNoTime() {
    var overloaded = new RpcError(ErrorReason.OVERLOADED, "full");
    var invalid = new RpcError(ErrorReason.INVALID, "name is missing");

    assertThat(RpcError.of(overloaded.toException()).retryDelay()).isEqualTo(Duration.ofSeconds(1));
    assertThat(RpcError.of(invalid.toException())).isEqualTo(invalid);
    assertThat(invalid.retryDelay()).isNull();
  }
}
