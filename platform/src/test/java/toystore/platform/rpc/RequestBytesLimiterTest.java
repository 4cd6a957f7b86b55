package toystore.platform.rpc;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import org.junit.jupiter.api.Test;

class RequestBytesLimiterTest {
  private final RequestBytesLimiter limiter = new RequestBytesLimiter(1 << 20);

  @Test
  void callIsRefusedWhileTheRequestsInProgressAreTooLarge() {
    ServerStreamTracer large = call();
    large.inboundWireSize(1 << 20);
    ServerStreamTracer next = call();
    assertThatThrownBy(() -> next.inboundWireSize(20_000))
        .hasMessage(
            "RESOURCE_EXHAUSTED: server is overloaded (more than 1 MiB of requests in progress); the request was not processed; retry later");
    call().inboundWireSize(16 << 10); // a small one
    next.streamClosed(Status.RESOURCE_EXHAUSTED);
    large.streamClosed(Status.OK);
    large.streamClosed(Status.OK);

    call().inboundWireSize((1 << 20) - (16 << 10));
    assertThatThrownBy(() -> call().inboundWireSize(20_000)).hasMessageContaining("overloaded");
  }

  private ServerStreamTracer call() {
    return limiter.newServerStreamTracer("a/B", new Metadata());
  }
}
