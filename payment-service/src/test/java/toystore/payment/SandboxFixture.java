package toystore.payment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.grpc.ClientInterceptor;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.MetadataUtils;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.springframework.context.ConfigurableApplicationContext;
import toystore.clients.FreePorts;
import toystore.common.v1.AuditCheck;
import toystore.common.v1.AuditRequest;
import toystore.common.v1.AuditServiceGrpc;
import toystore.common.v1.Card;
import toystore.payment.v1.AuthoriseRequest;
import toystore.payment.v1.CaptureRequest;
import toystore.payment.v1.ListPaymentsRequest;
import toystore.payment.v1.ListPaymentsResponse;
import toystore.payment.v1.PaymentServiceGrpc;
import toystore.payment.v1.PaymentState;
import toystore.payment.v1.SandboxServiceGrpc;
import toystore.payment.v1.SetFaultsRequest;
import toystore.payment.v1.VoidRequest;
import toystore.platform.rpc.RpcError;
import toystore.platform.service.ServiceProcess;

/// The real payment service on a real database file, behind real stubs.
final class SandboxFixture implements AutoCloseable {
  static final String GOOD_CARD = "4111222233334444";
  static final String DECLINED_CARD = "4000000000000002";
  static final String UNCAPTURABLE_CARD = "4000000000000341";
  static final String HOLDER = "Erika Mustermann-Qx7";
  static final String SECURITY_CODE = "9081";
  static final String EXPIRATION_DATE = "11/29";
  private static final String TOKEN = "token";

  private final ConfigurableApplicationContext service;
  private final ManagedChannel channel;
  private final int port = FreePorts.free();

  SandboxFixture(Path data, String... arguments) {
    String name = InProcessServerBuilder.generateName();
    List<String> all =
        new ArrayList<>(
            List.of(
                "--toystore.data=" + data,
                "--toystore.payment.port=" + port,
                "--toystore.admin-token=" + TOKEN,
                "--spring.grpc.server.inprocess.name=" + name));
    all.addAll(List.of(arguments));
    service =
        ServiceProcess.startBeside(
            PaymentApplication.class, PaymentApplication.NAME, PaymentApplication.SETTINGS, all);
    channel = InProcessChannelBuilder.forName(name).build();
  }

  <T> T bean(Class<T> type) {
    return service.getBean(type);
  }

  int port() {
    return port;
  }

  ManagedChannel channel() {
    return channel;
  }

  PaymentServiceGrpc.PaymentServiceBlockingStub payments() {
    return PaymentServiceGrpc.newBlockingStub(channel).withInterceptors(token());
  }

  PaymentServiceGrpc.PaymentServiceFutureStub futures() {
    return PaymentServiceGrpc.newFutureStub(channel).withInterceptors(token());
  }

  void faults(SetFaultsRequest.Builder faults) {
    var _ =
        SandboxServiceGrpc.newBlockingStub(channel)
            .withInterceptors(token())
            .setFaults(faults.build());
  }

  static ClientInterceptor token() {
    var headers = new Metadata();
    headers.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + TOKEN);
    return MetadataUtils.newAttachHeadersInterceptor(headers);
  }

  PaymentState authorise(String id, long cents, String card) {
    return payments().authorise(authorisation(id, cents, card)).getState();
  }

  PaymentState capture(String id) {
    return payments().capture(CaptureRequest.newBuilder().setPaymentId(id).build()).getState();
  }

  void voids(String id) {
    var _ = payments().void_(VoidRequest.newBuilder().setPaymentId(id).build());
  }

  static AuthoriseRequest authorisation(String id, long cents, String card) {
    return AuthoriseRequest.newBuilder()
        .setPaymentId(id)
        .setAmountCents(cents)
        .setCard(
            Card.newBuilder()
                .setHolderName(HOLDER)
                .setNumber(card)
                .setExpirationDate(EXPIRATION_DATE)
                .setSecurityCode(SECURITY_CODE))
        .build();
  }

  ListPaymentsResponse page(long from, int limit) {
    return payments()
        .listPayments(ListPaymentsRequest.newBuilder().setFrom(from).setLimit(limit).build());
  }

  /// Amount in cents and state of a payment in the ledger, or `none`.
  String find(String id) {
    return page(0, 1_000).getPaymentsList().stream()
        .filter(it -> it.getPaymentId().equals(id))
        .map(it -> it.getAmountCents() + " " + it.getState().name().replace("PAYMENT_STATE_", ""))
        .findFirst()
        .orElse("none");
  }

  AuditCheck audit(boolean full) {
    List<AuditCheck> checks =
        AuditServiceGrpc.newBlockingStub(channel)
            .audit(AuditRequest.newBuilder().setFull(full).build())
            .getChecksList();
    assertThat(checks).hasSize(1);
    return checks.getFirst();
  }

  static RpcError error(ThrowingCallable call) {
    var failure = catchThrowableOfType(StatusRuntimeException.class, call);
    assertThat(failure).as("error of the call").isNotNull();
    return RpcError.of(failure);
  }

  @Override
  public void close() {
    channel.shutdownNow();
    service.close();
  }
}
