package toystore.payment.rpc;

import static toystore.common.RootLocale.format;

import com.google.protobuf.util.Timestamps;
import io.grpc.Context;
import io.grpc.stub.StreamObserver;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.springframework.grpc.server.service.GrpcService;
import toystore.common.v1.Card;
import toystore.payment.domain.Payment;
import toystore.payment.domain.PaymentCommand;
import toystore.payment.domain.PaymentUnitOfWork;
import toystore.payment.domain.SandboxCard;
import toystore.payment.domain.SandboxFaults;
import toystore.payment.storage.PaymentStore;
import toystore.payment.v1.AuthoriseRequest;
import toystore.payment.v1.AuthoriseResponse;
import toystore.payment.v1.CaptureRequest;
import toystore.payment.v1.CaptureResponse;
import toystore.payment.v1.ListPaymentsRequest;
import toystore.payment.v1.ListPaymentsResponse;
import toystore.payment.v1.PaymentServiceGrpc;
import toystore.payment.v1.PaymentState;
import toystore.payment.v1.VoidRequest;
import toystore.payment.v1.VoidResponse;
import toystore.platform.journal.Submitted;
import toystore.platform.rpc.CommonMessages;
import toystore.platform.rpc.UnaryResponses;
import toystore.platform.rpc.WriterSpans;
import toystore.platform.service.AdministratorInterceptor;
import toystore.platform.storage.CommandTimings;
import toystore.platform.storage.ReadPool;
import toystore.platform.storage.SingleWriter;
import toystore.platform.text.CardFields;
import toystore.platform.text.Limits;

/// `toystore.payment.v1.PaymentService`. Runs on gRPC's I/O threads and never blocks. Card data
/// goes no further: a command contains only what the card allows.
@GrpcService(interceptors = AdministratorInterceptor.class)
final class PaymentRpc extends PaymentServiceGrpc.PaymentServiceImplBase {
  private static final int MAX_ID_LENGTH = 64;
  private static final int MAX_PAGE = 1_000;

  private final SingleWriter<PaymentUnitOfWork> writer;
  private final ReadPool readers;
  private final SandboxFaults faults;

  PaymentRpc(SingleWriter<PaymentUnitOfWork> writer, ReadPool readers, SandboxFaults faults) {
    this.writer = writer;
    this.readers = readers;
    this.faults = faults;
  }

  @Override
  public void authorise(AuthoriseRequest request, StreamObserver<AuthoriseResponse> answer) {
    change(
        answer,
        () ->
            new PaymentCommand.Authorise(
                id(request.getPaymentId()),
                request.getAmountCents(),
                card(request.getCard()).newPaymentState()),
        state -> AuthoriseResponse.newBuilder().setState(state(state)).build());
  }

  @Override
  public void capture(CaptureRequest request, StreamObserver<CaptureResponse> answer) {
    change(
        answer,
        () -> new PaymentCommand.Capture(id(request.getPaymentId())),
        state -> CaptureResponse.newBuilder().setState(state(state)).build());
  }

  @Override
  public void void_(VoidRequest request, StreamObserver<VoidResponse> answer) {
    change(
        answer,
        () -> new PaymentCommand.Void(id(request.getPaymentId())),
        _ -> VoidResponse.getDefaultInstance());
  }

  private <A> void change(
      StreamObserver<A> answer,
      Supplier<PaymentCommand> request,
      Function<Payment.State, A> response) {
    UnaryResponses.send(
        answer,
        () -> {
          var command = new Submitted<>(request.get());
          Consumer<CommandTimings> onTimings = WriterSpans.of(Context.current());
          return faults
              .change(() -> writer.submit(command, onTimings))
              .thenApply(CommonMessages::done)
              .thenApply(it -> response.apply(it.value()));
        });
  }

  @Override
  public void listPayments(
      ListPaymentsRequest request, StreamObserver<ListPaymentsResponse> answer) {
    UnaryResponses.send(
        answer,
        () -> {
          long from = request.getFrom();
          int limit = request.getLimit();
          Limits.checkAtLeast("from", from, 0);
          Limits.check("limit", limit, 1, MAX_PAGE);
          return faults.read(() -> readers.read(connection -> page(connection, from, limit)));
        });
  }

  private static ListPaymentsResponse page(Connection connection, long from, int limit)
      throws SQLException {
    var response = ListPaymentsResponse.newBuilder();
    for (Payment payment : PaymentStore.page(connection, from, limit)) {
      response.addPayments(payment(payment));
    }
    return response.setNextNumber(PaymentStore.nextNumber(connection)).build();
  }

  private static toystore.payment.v1.Payment payment(Payment payment) {
    return toystore.payment.v1.Payment.newBuilder()
        .setNumber(payment.number())
        .setPaymentId(payment.id())
        .setAmountCents(payment.amountCents())
        .setState(state(payment.state()))
        .setChangedAt(Timestamps.fromMillis(payment.changedAt().toEpochMilli()))
        .build();
  }

  private static String id(String id) {
    if (id.isEmpty()
        || id.length() > MAX_ID_LENGTH
        || !id.chars().allMatch(it -> it >= ' ' && it <= '~')) {
      throw new IllegalArgumentException(
          format(
              "payment_id must have 1 to %d printable ASCII characters, got %d characters",
              MAX_ID_LENGTH, id.length()));
    }
    return id;
  }

  private static SandboxCard card(Card card) {
    return new SandboxCard(
        new CardFields(
            card.getHolderName(),
            card.getNumber(),
            card.getExpirationDate(),
            card.getSecurityCode()));
  }

  private static PaymentState state(Payment.State state) {
    return switch (state) {
      case AUTHORISED, AUTHORISED_NOT_CAPTURABLE -> PaymentState.PAYMENT_STATE_AUTHORISED;
      case DECLINED -> PaymentState.PAYMENT_STATE_DECLINED;
      case CAPTURED -> PaymentState.PAYMENT_STATE_CAPTURED;
      case CAPTURE_REFUSED -> PaymentState.PAYMENT_STATE_CAPTURE_REFUSED;
      case VOIDED -> PaymentState.PAYMENT_STATE_VOIDED;
    };
  }
}
