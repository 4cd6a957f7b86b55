package toystore.payment;

import org.springframework.grpc.server.service.GrpcService;
import toystore.payment.v1.PaymentServiceGrpc;
import toystore.platform.service.AdministratorInterceptor;

/// Implements `toystore.payment.v1.PaymentService`. Runs on gRPC's I/O threads and never blocks.
@GrpcService(interceptors = AdministratorInterceptor.class)
final class PaymentRpc extends PaymentServiceGrpc.PaymentServiceImplBase {}
