package toystore.account;

import org.springframework.grpc.server.service.GrpcService;
import toystore.account.v1.AccountServiceGrpc;
import toystore.platform.service.AdministratorInterceptor;

/// Implements `toystore.account.v1.AccountService`. Runs on gRPC's I/O threads and never blocks.
@GrpcService(interceptors = AdministratorInterceptor.class)
final class AccountRpc extends AccountServiceGrpc.AccountServiceImplBase {}
