package toystore.platform.service;

import io.grpc.stub.StreamObserver;
import java.util.List;
import toystore.common.v1.AuditRequest;
import toystore.common.v1.AuditResponse;
import toystore.common.v1.AuditServiceGrpc;
import toystore.platform.rpc.UnaryResponses;

/// `toystore.common.v1.AuditService` of a service that has an [Audit]. Never blocks.
final class AuditRpc extends AuditServiceGrpc.AuditServiceImplBase {
  private final Audit audit;

  AuditRpc(Audit audit) {
    this.audit = audit;
  }

  @Override
  public void audit(AuditRequest request, StreamObserver<AuditResponse> answer) {
    UnaryResponses.send(answer, () -> audit.run(request.getFull()).thenApply(AuditRpc::response));
  }

  private static AuditResponse response(List<AuditCheckResult> checks) {
    var response = AuditResponse.newBuilder();
    for (AuditCheckResult check : checks) {
      var message = response.addChecksBuilder().setName(check.name()).setDetail(check.detail());
      if (check.ok() != null) {
        message.setOk(check.ok());
      }
    }
    return response.build();
  }
}
