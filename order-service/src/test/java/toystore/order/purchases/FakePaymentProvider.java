package toystore.order.purchases;

import static java.util.Objects.requireNonNull;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import toystore.common.v1.AuditCheck;
import toystore.common.v1.AuditRequest;
import toystore.common.v1.AuditResponse;
import toystore.common.v1.AuditServiceGrpc;
import toystore.payment.v1.AuthoriseRequest;
import toystore.payment.v1.AuthoriseResponse;
import toystore.payment.v1.CaptureRequest;
import toystore.payment.v1.CaptureResponse;
import toystore.payment.v1.ListPaymentsRequest;
import toystore.payment.v1.ListPaymentsResponse;
import toystore.payment.v1.Payment;
import toystore.payment.v1.PaymentServiceGrpc;
import toystore.payment.v1.PaymentState;
import toystore.payment.v1.VoidRequest;
import toystore.payment.v1.VoidResponse;
import toystore.platform.error.ErrorReason;
import toystore.platform.rpc.RpcError;

/// With a ledger. Declines and refuses captures by card number.
final class FakePaymentProvider extends PaymentServiceGrpc.PaymentServiceImplBase {
  static final String GOOD = "4242424242424242";
  static final String DECLINED = "4000000000000002";

  /// Authorised, but its capture is refused.
  static final String NO_CAPTURE = "4000000000000341";

  private final Map<String, Payment> ledger = new LinkedHashMap<>();
  private final Map<String, String> cards = new LinkedHashMap<>();

  /// Each call is refused with NOT_DONE.
  volatile boolean unavailable;

  /// They are refused with NOT_DONE.
  volatile boolean capturesUnavailable;

  /// So many calls are processed without an answer.
  final AtomicInteger lostAnswers = new AtomicInteger();

  /// Of the payment service's own audit.
  volatile List<AuditCheck> checks = List.of();

  /// Authorisations wait for it before they are processed.
  volatile CountDownLatch open = new CountDownLatch(0);

  final AtomicInteger authorisations = new AtomicInteger();

  synchronized PaymentState state(String id) {
    Payment payment = ledger.get(id);
    return payment == null ? PaymentState.PAYMENT_STATE_UNSPECIFIED : payment.getState();
  }

  synchronized long count(PaymentState state) {
    return ledger.values().stream().filter(it -> it.getState() == state).count();
  }

  synchronized long capturedCents() {
    return ledger.values().stream()
        .filter(it -> it.getState() == PaymentState.PAYMENT_STATE_CAPTURED)
        .mapToLong(Payment::getAmountCents)
        .sum();
  }

  /// Oldest first.
  synchronized List<String> ids() {
    return List.copyOf(ledger.keySet());
  }

  synchronized void forget() {
    ledger.clear();
  }

  /// A payment that no purchase belongs to, or another state of a known one.
  synchronized void put(String id, long amountCents, PaymentState state) {
    Payment before = ledger.get(id);
    ledger.put(
        id,
        Payment.newBuilder()
            .setNumber(before == null ? ledger.size() : before.getNumber())
            .setPaymentId(id)
            .setAmountCents(amountCents)
            .setState(state)
            .build());
  }

  @Override
  public void authorise(AuthoriseRequest request, StreamObserver<AuthoriseResponse> observer) {
    authorisations.incrementAndGet();
    awaitOpen();
    answer(
        observer,
        () -> {
          String id = request.getPaymentId();
          if (!ledger.containsKey(id)) {
            cards.put(id, request.getCard().getNumber());
            put(
                id,
                request.getAmountCents(),
                request.getCard().getNumber().equals(DECLINED)
                    ? PaymentState.PAYMENT_STATE_DECLINED
                    : PaymentState.PAYMENT_STATE_AUTHORISED);
          }
          return AuthoriseResponse.newBuilder().setState(state(id)).build();
        });
  }

  @Override
  public void capture(CaptureRequest request, StreamObserver<CaptureResponse> observer) {
    if (capturesUnavailable) {
      observer.onError(new RpcError(ErrorReason.NOT_DONE, "planned").toException());
      return;
    }
    answer(
        observer,
        () -> {
          String id = request.getPaymentId();
          if (state(id) == PaymentState.PAYMENT_STATE_AUTHORISED) {
            put(
                id,
                requireNonNull(ledger.get(id)).getAmountCents(),
                NO_CAPTURE.equals(cards.get(id))
                    ? PaymentState.PAYMENT_STATE_CAPTURE_REFUSED
                    : PaymentState.PAYMENT_STATE_CAPTURED);
          }
          if (state(id) != PaymentState.PAYMENT_STATE_CAPTURED
              && state(id) != PaymentState.PAYMENT_STATE_CAPTURE_REFUSED) {
            throw new RpcError(ErrorReason.NOT_AUTHORISED, "not authorised").toException();
          }
          return CaptureResponse.newBuilder().setState(state(id)).build();
        });
  }

  @Override
  public void void_(VoidRequest request, StreamObserver<VoidResponse> observer) {
    answer(
        observer,
        () -> {
          String id = request.getPaymentId();
          Payment before = ledger.get(id);
          if (before != null && before.getState() == PaymentState.PAYMENT_STATE_CAPTURED) {
            throw new IllegalStateException("voided after its capture: " + id);
          }
          if (before == null || before.getState() == PaymentState.PAYMENT_STATE_AUTHORISED) {
            put(
                id,
                before == null ? 0 : before.getAmountCents(),
                PaymentState.PAYMENT_STATE_VOIDED);
          }
          return VoidResponse.getDefaultInstance();
        });
  }

  @Override
  public synchronized void listPayments(
      ListPaymentsRequest request, StreamObserver<ListPaymentsResponse> observer) {
    if (unavailable) {
      observer.onError(new RpcError(ErrorReason.NOT_DONE, "planned").toException());
      return;
    }
    observer.onNext(
        ListPaymentsResponse.newBuilder()
            .addAllPayments(
                ledger.values().stream()
                    .filter(it -> it.getNumber() >= request.getFrom())
                    .limit(Math.min(request.getLimit(), 7))
                    .toList())
            .setNextNumber(ledger.size())
            .build());
    observer.onCompleted();
  }

  private synchronized <A> void answer(StreamObserver<A> observer, Supplier<A> decision) {
    if (unavailable) {
      observer.onError(new RpcError(ErrorReason.NOT_DONE, "planned").toException());
      return;
    }
    A answer;
    try {
      answer = decision.get();
    } catch (StatusRuntimeException e) {
      observer.onError(e);
      return;
    }
    if (lostAnswers.getAndUpdate(it -> Math.max(0, it - 1)) > 0) {
      observer.onError(Status.UNAVAILABLE.asRuntimeException());
    } else {
      observer.onNext(answer);
      observer.onCompleted();
    }
  }

  final class LedgerAudit extends AuditServiceGrpc.AuditServiceImplBase {
    @Override
    public void audit(AuditRequest request, StreamObserver<AuditResponse> observer) {
      answer(observer, () -> AuditResponse.newBuilder().addAllChecks(checks).build());
    }
  }

  private void awaitOpen() {
    try {
      open.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
