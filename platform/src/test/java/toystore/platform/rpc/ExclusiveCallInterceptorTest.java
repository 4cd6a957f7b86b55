package toystore.platform.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Empty;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.grpc.protobuf.lite.ProtoLiteUtils;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ExclusiveCallInterceptorTest {
  private static final MethodDescriptor<Empty, Empty> METHOD =
      MethodDescriptor.<Empty, Empty>newBuilder()
          .setType(MethodDescriptor.MethodType.UNARY)
          .setFullMethodName("test.Service/Import")
          .setRequestMarshaller(ProtoLiteUtils.marshaller(Empty.getDefaultInstance()))
          .setResponseMarshaller(ProtoLiteUtils.marshaller(Empty.getDefaultInstance()))
          .build();

  private final ExclusiveCallInterceptor interceptor =
      new ExclusiveCallInterceptor("Import", "another import is in progress");

  @Test
  void callThatIsCancelledBeforeItIsHandledReleasesThePermit() {
    start(new RecordedCall()).onCancel();

    assertThat(isAccepted()).isTrue();
  }

  @Test
  void callThatIsCancelledWhileItIsHandledKeepsThePermitUntilItsHandlerEnds() {
    var call = new RecordedCall();
    ServerCall.Listener<Empty> first = start(call);
    first.onHalfClose();
    first.onCancel();

    assertThat(isAccepted()).isFalse();
    call.handled.close(Status.OK, new Metadata());
    assertThat(isAccepted()).isTrue();
  }

  private boolean isAccepted() {
    var call = new RecordedCall();
    start(call).onCancel();
    return call.closed == null;
  }

  private ServerCall.Listener<Empty> start(RecordedCall call) {
    return interceptor.interceptCall(
        call,
        new Metadata(),
        (handled, _) -> {
          call.handled = handled;
          return new ServerCall.Listener<>() {};
        });
  }

  /// Records the status with which the call is closed, and the call that the handler gets.
  private static final class RecordedCall extends ServerCall<Empty, Empty> {
    private ServerCall<Empty, Empty> handled = this;
    private @Nullable Status closed;

    @Override
    public void close(Status status, Metadata trailers) {
      closed = status;
    }

    @Override
    public MethodDescriptor<Empty, Empty> getMethodDescriptor() {
      return METHOD;
    }

    @Override
    public void request(int numMessages) {}

    @Override
    public void sendHeaders(Metadata headers) {}

    @Override
    public void sendMessage(Empty message) {}

    @Override
    public boolean isCancelled() {
      return false;
    }
  }
}
