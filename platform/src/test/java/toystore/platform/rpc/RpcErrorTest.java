package toystore.platform.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RpcErrorTest {
  private static final ErrorReason LIMITED =
      ErrorReason.notDone("LIMITED", Status.Code.RESOURCE_EXHAUSTED, 429);

  @Test
  void retryDelayIsSentToTheCaller() {
    var error = new RpcError(LIMITED, "retry later", false, Duration.ofMillis(299_500));

    RpcError received = RpcError.of(error.toException());

    assertThat(received).isEqualTo(error);
    assertThat(received.reason().httpStatus()).isEqualTo(429);
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
