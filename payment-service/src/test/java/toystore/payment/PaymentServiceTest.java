package toystore.payment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static toystore.clients.Conditions.await;
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

import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import toystore.payment.domain.Payment;
import toystore.payment.storage.PaymentBatches;
import toystore.payment.v1.AuthoriseRequest;
import toystore.payment.v1.PaymentServiceGrpc;
import toystore.payment.v1.SandboxServiceGrpc;
import toystore.payment.v1.SetFaultsRequest;
import toystore.platform.error.ErrorReason;
import toystore.platform.rpc.RpcError;

class PaymentServiceTest {
  @TempDir static Path data;

  @SuppressWarnings("NullAway.Init") // set by start()
  private static SandboxFixture sandbox;

  @BeforeAll
  static void start() {
    sandbox = new SandboxFixture(data);
  }

  @AfterAll
  static void stop() {
    sandbox.close();
  }

  @Test
  void authorisedPaymentIsCapturedOnceAndRepeatsGetTheSameAnswer() {
    long number = sandbox.page(0, 1).getNextNumber();
    assertThat(sandbox.authorise("captured", 2599, GOOD_CARD)).isEqualTo(PAYMENT_STATE_AUTHORISED);
    assertThat(sandbox.authorise("captured", 2599, GOOD_CARD)).isEqualTo(PAYMENT_STATE_AUTHORISED);
    assertThat(sandbox.capture("captured")).isEqualTo(PAYMENT_STATE_CAPTURED);
    var first = sandbox.page(number, 1).getPayments(0);
    assertThat(sandbox.capture("captured")).isEqualTo(PAYMENT_STATE_CAPTURED);
    assertThat(sandbox.authorise("captured", 2599, GOOD_CARD)).isEqualTo(PAYMENT_STATE_CAPTURED);
    assertThat(sandbox.page(number, 1).getPayments(0))
        .as("repeats change nothing, not even the time")
        .isEqualTo(first);
  }

  @ParameterizedTest
  @ValueSource(strings = {DECLINED_CARD, "4000000000009995"})
  void declinedPaymentStaysDeclinedIsNeverCapturedAndMayBeVoided(String card) {
    String id = "declined-" + card.hashCode();
    assertThat(sandbox.authorise(id, 1, card)).isEqualTo(PAYMENT_STATE_DECLINED);
    assertThat(sandbox.authorise(id, 1, GOOD_CARD))
        .as("a repeat with another card")
        .isEqualTo(PAYMENT_STATE_DECLINED);
    assertThat(error(() -> sandbox.capture(id)))
        .isEqualTo(new RpcError(ErrorReason.NOT_AUTHORISED, "payment was declined"));
    sandbox.voids(id);
    sandbox.voids(id);
    assertThat(sandbox.find(id)).isEqualTo("1 DECLINED");
  }

  @Test
  void captureOfTheUncapturableCardIsRefusedForGoodAlsoAfterARestart() {
    assertThat(sandbox.authorise("refused", 1, UNCAPTURABLE_CARD))
        .isEqualTo(PAYMENT_STATE_AUTHORISED);
    stop();
    start();
    assertThat(sandbox.find("refused")).isEqualTo("1 AUTHORISED");
    assertThat(sandbox.capture("refused")).isEqualTo(PAYMENT_STATE_CAPTURE_REFUSED);
    assertThat(sandbox.capture("refused")).isEqualTo(PAYMENT_STATE_CAPTURE_REFUSED);
    sandbox.voids("refused");
    assertThat(sandbox.authorise("refused", 1, UNCAPTURABLE_CARD))
        .isEqualTo(PAYMENT_STATE_CAPTURE_REFUSED);
  }

  @ParameterizedTest
  @ValueSource(strings = {GOOD_CARD, UNCAPTURABLE_CARD})
  void voidedPaymentIsNotCaptured(String card) {
    String id = "voided-" + card.hashCode();
    assertThat(sandbox.authorise(id, 5, card)).isEqualTo(PAYMENT_STATE_AUTHORISED);
    sandbox.voids(id);
    sandbox.voids(id);
    assertThat(error(() -> sandbox.capture(id)))
        .isEqualTo(new RpcError(ErrorReason.NOT_AUTHORISED, "payment was voided"));
    assertThat(sandbox.authorise(id, 5, card)).isEqualTo(PAYMENT_STATE_VOIDED);
    assertThat(sandbox.find(id)).isEqualTo("5 VOIDED");
  }

  @Test
  void capturedPaymentIsNotVoided() {
    assertThat(sandbox.authorise("kept", 5, GOOD_CARD)).isEqualTo(PAYMENT_STATE_AUTHORISED);
    assertThat(sandbox.capture("kept")).isEqualTo(PAYMENT_STATE_CAPTURED);
    assertThat(error(() -> sandbox.voids("kept")))
        .isEqualTo(new RpcError(ErrorReason.ALREADY_CAPTURED, "payment was already captured"));
    assertThat(sandbox.find("kept")).isEqualTo("5 CAPTURED");
  }

  @Test
  void unknownPaymentIsNotCapturedAndNotRecorded() {
    assertThat(error(() -> sandbox.capture("unknown")))
        .isEqualTo(new RpcError(ErrorReason.PAYMENT_NOT_FOUND, "payment not found"));
    assertThat(sandbox.find("unknown")).isEqualTo("none");
  }

  @Test
  void sameIdWithAnotherAmountIsRefusedInEveryStateAndChangesNothing() {
    for (String id : List.of("reused-authorised", "reused-captured", "reused-voided")) {
      assertThat(sandbox.authorise(id, 5, GOOD_CARD)).isEqualTo(PAYMENT_STATE_AUTHORISED);
    }
    assertThat(sandbox.authorise("reused-declined", 5, DECLINED_CARD))
        .isEqualTo(PAYMENT_STATE_DECLINED);
    assertThat(sandbox.capture("reused-captured")).isEqualTo(PAYMENT_STATE_CAPTURED);
    sandbox.voids("reused-voided");
    for (String state : List.of("authorised", "captured", "voided", "declined")) {
      assertThat(error(() -> sandbox.authorise("reused-" + state, 6, GOOD_CARD)))
          .isEqualTo(
              new RpcError(
                  ErrorReason.KEY_REUSED,
                  "payment_id was already used with a different amount: 5 cents, got 6"));
      assertThat(sandbox.find("reused-" + state)).isEqualToIgnoringCase("5 " + state);
    }
  }

  @Test
  void callsAtTheSameTimeWithOneIdMakeOnePaymentOfOneAmount() {
    var calls =
        IntStream.range(0, 200)
            .mapToObj(
                it -> sandbox.futures().authorise(authorisation("race", 5 + it % 2, GOOD_CARD)))
            .toList();
    await(() -> calls.stream().allMatch(Future::isDone));
    assertThat(sandbox.find("race")).isIn("5 AUTHORISED", "6 AUTHORISED");
    assertThat(sandbox.page(0, 1_000).getPaymentsList())
        .filteredOn(it -> it.getPaymentId().equals("race"))
        .hasSize(1);
    long amount = sandbox.find("race").charAt(0) - '0';
    for (int i = 0; i < calls.size(); i++) {
      var call = calls.get(i);
      if (5 + i % 2 == amount) {
        assertThat(call.resultNow().getState()).isEqualTo(PAYMENT_STATE_AUTHORISED);
      } else {
        assertThat(RpcError.of((StatusRuntimeException) call.exceptionNow()).reason())
            .isEqualTo(ErrorReason.KEY_REUSED);
      }
    }
  }

  @Test
  void ledgerIsListedInPagesAndKeptAcrossARestart() {
    long first = sandbox.page(0, 1).getNextNumber();
    IntStream.range(0, 5)
        .forEach(it ->
            assertThat(sandbox.authorise("listed-" + it, it + 1, GOOD_CARD))
                .isEqualTo(PAYMENT_STATE_AUTHORISED));
    assertThat(sandbox.capture("listed-1")).isEqualTo(PAYMENT_STATE_CAPTURED);
    var before = sandbox.page(first, 1_000).getPaymentsList();
    stop();
    start();
    sandbox.voids("listed-5");
    assertThat(sandbox.page(first, 5).getPaymentsList()).isEqualTo(before);
    assertThat(sandbox.page(first, 1_000).getPaymentsList())
        .extracting(
            it -> it.getNumber() - first + " " + it.getPaymentId(),
            it -> sandbox.find(it.getPaymentId()))
        .containsExactly(
            tuple("0 listed-0", "1 AUTHORISED"),
            tuple("1 listed-1", "2 CAPTURED"),
            tuple("2 listed-2", "3 AUTHORISED"),
            tuple("3 listed-3", "4 AUTHORISED"),
            tuple("4 listed-4", "5 AUTHORISED"),
            tuple("5 listed-5", "0 VOIDED"));
    assertThat(sandbox.page(first + 4, 1).getPaymentsList())
        .extracting(toystore.payment.v1.Payment::getPaymentId)
        .containsExactly("listed-4");
    assertThat(sandbox.page(first + 4, 1).getNextNumber()).isEqualTo(first + 6);
    assertThat(sandbox.page(first + 6, 1).getPaymentsList()).isEmpty();
  }

  @Test
  void requestOutOfRangeIsRefusedAndRecordsNothing() {
    long next = sandbox.page(0, 1).getNextNumber();
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
      assertThat(error(() -> sandbox.authorise("no-amount", cents, GOOD_CARD)))
          .isEqualTo(
              new RpcError(ErrorReason.INVALID, "amount_cents must be at least 1, got " + cents));
    }
    assertThat(sandbox.page(0, 1).getNextNumber()).isEqualTo(next);
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
    var batches = sandbox.bean(PaymentBatches.class);
    long authorised = batches.transitionsTo(Payment.State.AUTHORISED);
    long captured = batches.transitionsTo(Payment.State.CAPTURED);
    assertThat(sandbox.authorise("counted", 5, GOOD_CARD)).isEqualTo(PAYMENT_STATE_AUTHORISED);
    assertThat(sandbox.capture("counted")).isEqualTo(PAYMENT_STATE_CAPTURED);
    assertThat(sandbox.capture("counted")).isEqualTo(PAYMENT_STATE_CAPTURED);
    assertThat(batches.transitionsTo(Payment.State.AUTHORISED)).isEqualTo(authorised + 1);
    assertThat(batches.transitionsTo(Payment.State.CAPTURED)).isEqualTo(captured + 1);
  }
}
