package toystore.frontend.page.admin;

import org.springframework.stereotype.Component;
import toystore.catalog.v1.CatalogAdminServiceGrpc;
import toystore.catalog.v1.CatalogAdminServiceGrpc.CatalogAdminServiceBlockingStub;
import toystore.catalog.v1.EndSessionRequest;
import toystore.catalog.v1.GetSessionRequest;
import toystore.frontend.http.PeerCalls;
import toystore.frontend.page.admin.AdminSessions.AdminSession;
import toystore.platform.service.AdministratorToken;
import toystore.platform.service.PeerChannel;

/// gRPC client of the catalog, which keeps the ended sessions of the administrator: nearly all of
/// these pages need it anyway. Any thread.
@Component
final class AdminSessionClient {
  private final CatalogAdminServiceBlockingStub catalog;
  private final PeerCalls calls;

  AdminSessionClient(PeerChannel catalogChannel, AdministratorToken token) {
    this.catalog =
        CatalogAdminServiceGrpc.newBlockingStub(catalogChannel.channel())
            .withInterceptors(token.clientInterceptor());
    this.calls = new PeerCalls(catalogChannel);
  }

  boolean hasEnded(AdminSession session) {
    var request = GetSessionRequest.newBuilder().setSessionId(session.id()).build();
    return calls.readFirst(() -> catalog.getSession(request)).getEnded();
  }

  void end(AdminSession session) {
    var request = EndSessionRequest.newBuilder().setSessionId(session.id()).build();
    var _ = calls.write(catalog, it -> it.endSession(request));
  }
}
