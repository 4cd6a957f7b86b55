package toystore.payment;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.payment.SandboxFixture.DECLINED_CARD;
import static toystore.payment.SandboxFixture.GOOD_CARD;
import static toystore.payment.SandboxFixture.UNCAPTURABLE_CARD;
import static toystore.payment.SandboxFixture.authorisation;
import static toystore.payment.SandboxFixture.error;
import static toystore.payment.v1.PaymentState.PAYMENT_STATE_AUTHORISED;
import static toystore.payment.v1.PaymentState.PAYMENT_STATE_CAPTURED;
import static toystore.payment.v1.PaymentState.PAYMENT_STATE_CAPTURE_REFUSED;
import static toystore.payment.v1.PaymentState.PAYMENT_STATE_DECLINED;
import static toystore.payment.v1.PaymentState.PAYMENT_STATE_VOIDED;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import toystore.payment.v1.AuthoriseRequest;
import toystore.payment.v1.AuthoriseResponse;
import toystore.payment.v1.PaymentServiceGrpc;
import toystore.payment.v1.SandboxServiceGrpc;
import toystore.payment.v1.SetFaultsRequest;
import toystore.platform.rpc.ErrorReason;
import toystore.platform.rpc.RpcError;

@Timeout(60)
class PaymentServiceTest {
  @TempDir Path data;

  private SandboxFixture sandbox;

  @BeforeEach
  void start() {
    sandbox = new SandboxFixture(data);
  }

  @AfterEach
  void stop() {
    sandbox.close();
  }

  @Test
  void authorisedPaymentIsCapturedOnceAndRepeatsGetTheSameAnswer() {
    assertThat(sandbox.authorise("a", 2599, GOOD_CARD)).isEqualTo(PAYMENT_STATE_AUTHORISED);
    assertThat(sandbox.authorise("a", 2599, GOOD_CARD)).isEqualTo(PAYMENT_STATE_AUTHORISED);
    assertThat(sandbox.capture("a")).isEqualTo(PAYMENT_STATE_CAPTURED);
    var captured = sandbox.page(0, 1).getPayments(0);
    assertThat(sandbox.capture("a")).isEqualTo(PAYMENT_STATE_CAPTURED);
    assertThat(sandbox.authorise("a", 2599, GOOD_CARD)).isEqualTo(PAYMENT_STATE_CAPTURED);
    assertThat(sandbox.page(0, 1).getPayments(0))
        .as("repeats change nothing, not even the time")
        .isEqualTo(captured);
  }

  @ParameterizedTest
  @ValueSource(strings = {DECLINED_CARD, "4000000000009995"})
  void declinedPaymentStaysDeclinedIsNeverCapturedAndMayBeVoided(String card) {
    assertThat(sandbox.authorise("a", 1, card)).isEqualTo(PAYMENT_STATE_DECLINED);
    assertThat(sandbox.authorise("a", 1, GOOD_CARD))
        .as("a repeat with another card")
        .isEqualTo(PAYMENT_STATE_DECLINED);
    assertThat(error(() -> sandbox.capture("a")))
        .isEqualTo(new RpcError(PaymentErrorReasons.NOT_AUTHORISED, "payment was declined"));
    sandbox.voids("a");
    sandbox.voids("a");
    assertThat(sandbox.ledger()).containsExactly("0 a 1 DECLINED");
  }

  @Test
  void captureOfTheUncapturableCardIsRefusedForGoodAlsoAfterARestart() {
    assertThat(sandbox.authorise("a", 1, UNCAPTURABLE_CARD)).isEqualTo(PAYMENT_STATE_AUTHORISED);
    sandbox.close();
    start();
    assertThat(sandbox.ledger()).containsExactly("0 a 1 AUTHORISED");
    assertThat(sandbox.capture("a")).isEqualTo(PAYMENT_STATE_CAPTURE_REFUSED);
    assertThat(sandbox.capture("a")).isEqualTo(PAYMENT_STATE_CAPTURE_REFUSED);
    sandbox.voids("a");
    assertThat(sandbox.authorise("a", 1, UNCAPTURABLE_CARD))
        .isEqualTo(PAYMENT_STATE_CAPTURE_REFUSED);
  }

  @ParameterizedTest
  @ValueSource(strings = {GOOD_CARD, UNCAPTURABLE_CARD})
  void voidedPaymentIsNotCaptured(String card) {
    sandbox.authorise("a", 5, card);
    sandbox.voids("a");
    sandbox.voids("a");
    assertThat(error(() -> sandbox.capture("a")))
        .isEqualTo(new RpcError(PaymentErrorReasons.NOT_AUTHORISED, "payment was voided"));
    assertThat(sandbox.authorise("a", 5, card)).isEqualTo(PAYMENT_STATE_VOIDED);
    assertThat(sandbox.ledger()).containsExactly("0 a 5 VOIDED");
  }

  @Test
  void authorisationThatArrivesAfterItsVoidReservesNothing() {
    sandbox.voids("a");
    sandbox.voids("a");
    assertThat(sandbox.authorise("a", 5, GOOD_CARD)).isEqualTo(PAYMENT_STATE_VOIDED);
    assertThat(sandbox.authorise("a", 5, DECLINED_CARD)).isEqualTo(PAYMENT_STATE_VOIDED);
    assertThat(sandbox.ledger()).containsExactly("0 a 0 VOIDED");
  }

  @Test
  void capturedPaymentIsNotVoided() {
    sandbox.authorise("a", 5, GOOD_CARD);
    sandbox.capture("a");
    assertThat(error(() -> sandbox.voids("a")))
        .isEqualTo(
            new RpcError(PaymentErrorReasons.ALREADY_CAPTURED, "payment was already captured"));
    assertThat(sandbox.ledger()).containsExactly("0 a 5 CAPTURED");
  }

  @Test
  void unknownPaymentIsNotCapturedAndNotRecorded() {
    assertThat(error(() -> sandbox.capture("a")))
        .isEqualTo(new RpcError(PaymentErrorReasons.PAYMENT_NOT_FOUND, "payment not found"));
    assertThat(sandbox.page(0, 1).getNextNumber()).isZero();
  }

  @Test
  void sameIdWithAnotherAmountIsRefusedInEveryStateAndChangesNothing() {
    sandbox.authorise("authorised", 5, GOOD_CARD);
    sandbox.authorise("declined", 5, DECLINED_CARD);
    sandbox.authorise("captured", 5, GOOD_CARD);
    sandbox.capture("captured");
    sandbox.authorise("voided", 5, GOOD_CARD);
    sandbox.voids("voided");
    var before = sandbox.ledger();
    for (String id : new String[] {"authorised", "declined", "captured", "voided"}) {
      assertThat(error(() -> sandbox.authorise(id, 6, GOOD_CARD)))
          .isEqualTo(
              new RpcError(
                  ErrorReason.KEY_REUSED,
                  "payment_id was already used with a different amount: 5 cents, got 6"));
    }
    assertThat(sandbox.ledger()).isEqualTo(before);
  }

  @Test
  void callsAtTheSameTimeWithOneIdMakeOnePayment() throws Exception {
    var answers =
        IntStream.range(0, 200)
            .mapToObj(it -> sandbox.futures().authorise(authorisation("a", 5, GOOD_CARD)))
            .toList();
    for (var answer : answers) {
      assertThat(answer.get())
          .isEqualTo(AuthoriseResponse.newBuilder().setState(PAYMENT_STATE_AUTHORISED).build());
    }
    assertThat(sandbox.ledger()).containsExactly("0 a 5 AUTHORISED");
  }

  @Test
  void ledgerIsListedInPagesAndKeptAcrossARestart() {
    IntStream.range(0, 5).forEach(it -> sandbox.authorise("id-" + it, it + 1, GOOD_CARD));
    sandbox.capture("id-1");
    var before = sandbox.page(0, 1_000);
    sandbox.close();
    start();
    sandbox.voids("id-5");
    assertThat(sandbox.page(0, 5).getPaymentsList()).isEqualTo(before.getPaymentsList());
    assertThat(sandbox.ledger())
        .containsExactly(
            "0 id-0 1 AUTHORISED",
            "1 id-1 2 CAPTURED",
            "2 id-2 3 AUTHORISED",
            "3 id-3 4 AUTHORISED",
            "4 id-4 5 AUTHORISED",
            "5 id-5 0 VOIDED");
    assertThat(sandbox.page(4, 1).getPaymentsList())
        .extracting(toystore.payment.v1.Payment::getPaymentId)
        .containsExactly("id-4");
    assertThat(sandbox.page(4, 1).getNextNumber()).isEqualTo(6);
    assertThat(sandbox.page(6, 1).getPaymentsList()).isEmpty();
  }

  @Test
  void requestOutOfRangeIsRefusedAndRecordsNothing() {
    assertThat(error(() -> sandbox.page(-1, 1)).reason()).isEqualTo(ErrorReason.INVALID);
    assertThat(error(() -> sandbox.page(0, 0)).reason()).isEqualTo(ErrorReason.INVALID);
    assertThat(error(() -> sandbox.page(0, 1_001)).reason()).isEqualTo(ErrorReason.INVALID);
    for (String id : List.of("", "a".repeat(65), "é", "a\nb")) {
      assertThat(error(() -> sandbox.authorise(id, 1, GOOD_CARD)).reason())
          .isEqualTo(ErrorReason.INVALID);
      assertThat(error(() -> sandbox.capture(id)).reason()).isEqualTo(ErrorReason.INVALID);
      assertThat(error(() -> sandbox.voids(id)).reason()).isEqualTo(ErrorReason.INVALID);
    }
    for (long cents : new long[] {0, -1, Long.MIN_VALUE}) {
      assertThat(error(() -> sandbox.authorise("a", cents, GOOD_CARD)))
          .isEqualTo(
              new RpcError(ErrorReason.INVALID, "amount_cents must be at least 1, got " + cents));
    }
    assertThat(sandbox.page(0, 1).getNextNumber()).isZero();
  }

  @Test
  void callsWithoutTheAdministratorsTokenAreRefused() {
    var payments = PaymentServiceGrpc.newBlockingStub(sandbox.channel());
    var faults = SandboxServiceGrpc.newBlockingStub(sandbox.channel());
    assertThat(error(() -> payments.authorise(AuthoriseRequest.getDefaultInstance())).reason())
        .isEqualTo(ErrorReason.NO_TOKEN);
    assertThat(error(() -> faults.setFaults(SetFaultsRequest.getDefaultInstance())).reason())
        .isEqualTo(ErrorReason.NO_TOKEN);
  }

  @Test
  void transitionsAreCountedByState() {
    sandbox.authorise("a", 5, GOOD_CARD);
    sandbox.capture("a");
    sandbox.capture("a");
    var ledger = sandbox.bean(LedgerBatchStore.class);
    assertThat(ledger.transitionsTo(Payment.State.AUTHORISED)).isOne();
    assertThat(ledger.transitionsTo(Payment.State.CAPTURED)).isOne();
    assertThat(ledger.transitionsTo(Payment.State.VOIDED)).isZero();
  }
}
