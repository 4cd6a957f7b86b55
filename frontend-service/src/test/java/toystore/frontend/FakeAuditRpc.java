package toystore.frontend;

import io.grpc.stub.StreamObserver;
import org.jspecify.annotations.Nullable;
import toystore.common.v1.AuditCheck;
import toystore.common.v1.AuditRequest;
import toystore.common.v1.AuditResponse;
import toystore.common.v1.AuditServiceGrpc;

/// A fake audit service with one check, whose result the test sets.
public final class FakeAuditRpc extends AuditServiceGrpc.AuditServiceImplBase {
  private final String name;
  private volatile @Nullable Boolean ok = true;

  FakeAuditRpc(String name) {
    this.name = name;
  }

  /// @param found result of the check; null: the check could not be made
  public void setResult(@Nullable Boolean found) {
    ok = found;
  }

  @Override
  public void audit(AuditRequest request, StreamObserver<AuditResponse> responseObserver) {
    FakeResponses.send(responseObserver, () -> response(request.getFull()));
  }

  private AuditResponse response(boolean full) {
    var check =
        AuditCheck.newBuilder().setName(name).setDetail(full ? "checked from 0" : "checked on");
    Boolean found = ok;
    if (found != null) {
      check.setOk(found);
    }
    return AuditResponse.newBuilder().addChecks(check).build();
  }
}
