package toystore.order.purchases;

import static toystore.common.RootLocale.format;

import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import toystore.common.v1.AuditRequest;
import toystore.common.v1.AuditResponse;
import toystore.common.v1.AuditServiceGrpc;
import toystore.common.v1.Card;
import toystore.order.domain.BegunPurchase.Sold;
import toystore.order.domain.Purchase;
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
import toystore.platform.error.ErrorReason;
import toystore.platform.journal.Answer.Refusal;
import toystore.platform.rpc.RpcError;
import toystore.platform.rpc.UnaryFutures;
import toystore.platform.service.AdministratorToken;
import toystore.platform.service.AuditCheckResult;
import toystore.platform.service.PeerChannel;
import toystore.platform.text.CardFields;

/// gRPC client of the payment service. A payment has the id of its purchase, so all calls are safe
/// to repeat. Never blocks. Any thread.
@Component
final class PaymentClient {
  /// For one attempt of a purchase's call to the payment service or the catalog.
  static final Duration ATTEMPT_DEADLINE = Duration.ofSeconds(5);

  /// Shorter than the 120 s in which the frontend expects the order service's audit.
  private static final Duration AUDIT_DEADLINE = Duration.ofSeconds(100);

  private final PaymentServiceGrpc.PaymentServiceStub payments;
  private final AuditServiceGrpc.AuditServiceStub audit;
  private final boolean isConfigured;

  PaymentClient(PeerChannel paymentChannel, AdministratorToken token) {
    this.payments =
        PaymentServiceGrpc.newStub(paymentChannel.channel())
            .withInterceptors(token.clientInterceptor());
    this.audit = AuditServiceGrpc.newStub(paymentChannel.withoutCircuitBreaker());
    this.isConfigured = paymentChannel.isConfigured();
  }

  boolean isConfigured() {
    return isConfigured;
  }

  /// @return why this attempt certainly did not reserve the amount; empty: it is reserved. Fails if
  ///   that is not known
  CompletionStage<Optional<Refusal<Sold>>> authorise(Purchase purchase, CardFields card) {
    var request =
        AuthoriseRequest.newBuilder()
            .setPaymentId(purchase.id())
            .setAmountCents(purchase.cart().totalCents())
            .setCard(
                Card.newBuilder()
                    .setHolderName(card.holderName())
                    .setNumber(card.number())
                    .setExpirationDate(card.expirationDate())
                    .setSecurityCode(card.securityCode()))
            .build();
    return UnaryFutures.<AuthoriseResponse>call(
            answer -> payments.withDeadlineAfter(ATTEMPT_DEADLINE).authorise(request, answer))
        .handle((response, failure) ->
            Optional.ofNullable(
                failure == null ? refusal(response.getState()) : refusal(error(failure))));
  }

  private static @Nullable Refusal<Sold> refusal(PaymentState state) {
    return switch (state) {
      case PAYMENT_STATE_AUTHORISED, PAYMENT_STATE_CAPTURED, PAYMENT_STATE_CAPTURE_REFUSED -> null;
      case PAYMENT_STATE_DECLINED, PAYMENT_STATE_VOIDED ->
          new Refusal<>(ErrorReason.CARD_DECLINED, "card was declined; nothing was bought");
      case PAYMENT_STATE_UNSPECIFIED, UNRECOGNIZED -> throw unexpected("an authorisation", state);
    };
  }

  private static Refusal<Sold> refusal(RpcError error) {
    if (error.reason() == ErrorReason.INVALID) {
      return new Refusal<>(ErrorReason.INVALID, "the payment service does not accept this card");
    }
    if (error.reason().outcome() == ErrorReason.Outcome.UNKNOWN) {
      throw error.toException();
    }
    return new Refusal<>( // also if it refuses the token, which the operator corrects
        ErrorReason.NOT_DONE, "payment service is unavailable; nothing was bought; retry later");
  }

  private static IllegalStateException unexpected(String call, PaymentState state) {
    return new IllegalStateException("answer to " + call + " must not be " + state);
  }

  /// @return false if it is refused for good
  CompletionStage<Boolean> capture(String id) {
    var request = CaptureRequest.newBuilder().setPaymentId(id).build();
    return UnaryFutures.<CaptureResponse>call(
            answer -> payments.withDeadlineAfter(ATTEMPT_DEADLINE).capture(request, answer))
        .handle((response, failure) ->
            failure == null ? captured(response.getState()) : notCaptured(failure));
  }

  private static boolean captured(PaymentState state) {
    return switch (state) {
      case PAYMENT_STATE_CAPTURED -> true;
      case PAYMENT_STATE_CAPTURE_REFUSED -> false;
      default -> throw unexpected("a capture", state);
    };
  }

  private static boolean notCaptured(Throwable failure) {
    RpcError error = error(failure);
    return switch (error.reason()) {
      case PAYMENT_NOT_FOUND, NOT_AUTHORISED -> false;
      default -> throw error.toException();
    };
  }

  /// Also prevents an authorisation that has not arrived yet.
  CompletionStage<Void> release(String id) {
    var request = VoidRequest.newBuilder().setPaymentId(id).build();
    return UnaryFutures.<VoidResponse>call(
            answer -> payments.withDeadlineAfter(ATTEMPT_DEADLINE).void_(request, answer))
        .thenAccept(_ -> {});
  }

  /// @param next the next number of the whole ledger
  record LedgerPage(List<Payment> payments, long next) {}

  record Payment(long number, String id, long amountCents, State state) {
    enum State {
      AUTHORISED,
      CAPTURED,
      /// Declined, voided, or the capture was refused.
      WITHOUT_MONEY
    }
  }

  CompletionStage<LedgerPage> list(long from, int limit) {
    var request = ListPaymentsRequest.newBuilder().setFrom(from).setLimit(limit).build();
    return UnaryFutures.<ListPaymentsResponse>call(
            answer -> payments.withDeadlineAfter(ATTEMPT_DEADLINE).listPayments(request, answer))
        .thenApply(page ->
            new LedgerPage(
                page.getPaymentsList().stream().map(PaymentClient::payment).toList(),
                page.getNextNumber()));
  }

  private static Payment payment(toystore.payment.v1.Payment payment) {
    return new Payment(
        payment.getNumber(),
        payment.getPaymentId(),
        payment.getAmountCents(),
        switch (payment.getState()) {
          case PAYMENT_STATE_AUTHORISED -> Payment.State.AUTHORISED;
          case PAYMENT_STATE_CAPTURED -> Payment.State.CAPTURED;
          case PAYMENT_STATE_DECLINED, PAYMENT_STATE_VOIDED, PAYMENT_STATE_CAPTURE_REFUSED ->
              Payment.State.WITHOUT_MONEY;
          case PAYMENT_STATE_UNSPECIFIED, UNRECOGNIZED ->
              throw new IllegalStateException(
                  format("payment %d has an unknown state", payment.getNumber()));
        });
  }

  /// The payment service's own checks; one that could not be made if it does not answer; none if
  /// the store has no payment service.
  CompletionStage<List<AuditCheckResult>> audit(boolean full) {
    if (!isConfigured) {
      return CompletableFuture.completedFuture(List.of());
    }
    var request = AuditRequest.newBuilder().setFull(full).build();
    return UnaryFutures.<AuditResponse>call(
            answer -> audit.withDeadlineAfter(AUDIT_DEADLINE).audit(request, answer))
        .thenApply(response ->
            response.getChecksList().stream()
                .map(it ->
                    new AuditCheckResult(
                        "payment: " + it.getName(),
                        it.hasOk() ? (Boolean) it.getOk() : null,
                        it.getDetail()))
                .toList())
        .exceptionally(failure -> List.of(AuditCheckResult.failed("payment-service", failure)));
  }

  static RpcError error(Throwable failure) {
    if (failure instanceof StatusRuntimeException exception) {
      return RpcError.of(exception);
    }
    throw new IllegalStateException("a call must fail with a status, got " + failure, failure);
  }
}
