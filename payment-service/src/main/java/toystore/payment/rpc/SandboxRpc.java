package toystore.payment.rpc;

import com.google.protobuf.Duration;
import com.google.protobuf.util.Durations;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletableFuture;
import org.springframework.grpc.server.service.GrpcService;
import toystore.payment.domain.SandboxFaults;
import toystore.payment.v1.SandboxServiceGrpc;
import toystore.payment.v1.SetFaultsRequest;
import toystore.payment.v1.SetFaultsResponse;
import toystore.platform.rpc.UnaryResponses;
import toystore.platform.service.AdministratorInterceptor;

/// `toystore.payment.v1.SandboxService`. Never blocks.
@GrpcService(interceptors = AdministratorInterceptor.class)
final class SandboxRpc extends SandboxServiceGrpc.SandboxServiceImplBase {
  private final SandboxFaults faults;

  SandboxRpc(SandboxFaults faults) {
    this.faults = faults;
  }

  @Override
  public void setFaults(SetFaultsRequest request, StreamObserver<SetFaultsResponse> answer) {
    UnaryResponses.send(
        answer,
        () -> {
          faults.set(duration(request.getDelay()), request.getLostAnswers());
          return CompletableFuture.completedFuture(SetFaultsResponse.getDefaultInstance());
        });
  }

  private static java.time.Duration duration(Duration delay) {
    if (!Durations.isValid(delay)) {
      throw new IllegalArgumentException("delay must be a valid duration, got " + delay);
    }
    return java.time.Duration.ofSeconds(delay.getSeconds(), delay.getNanos());
  }
}
