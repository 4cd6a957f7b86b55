package toystore.payment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static toystore.clients.Conditions.await;
import static toystore.payment.SandboxFixture.GOOD_CARD;
import static toystore.payment.SandboxFixture.authorisation;
import static toystore.payment.SandboxFixture.error;
import static toystore.payment.v1.PaymentState.PAYMENT_STATE_CAPTURED;
import static toystore.payment.v1.PaymentState.PAYMENT_STATE_VOIDED;

import com.google.protobuf.util.Durations;
import io.grpc.Status;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import toystore.payment.domain.SandboxFaults;
import toystore.payment.v1.CaptureRequest;
import toystore.payment.v1.SetFaultsRequest;
import toystore.platform.error.ErrorReason;

class SandboxFaultsTest {
  private static final Duration SHORT = Duration.ofMillis(200);

  @TempDir static Path data;

  @SuppressWarnings("NullAway.Init") // set by start()
  private static SandboxFixture sandbox;

  @BeforeAll
  static void start() {
    sandbox = new SandboxFixture(data);
  }

  @AfterEach
  void endFaults() {
    sandbox.faults(SetFaultsRequest.newBuilder());
  }

  @AfterAll
  static void stop() {
    sandbox.close();
  }

  @Test
  void callWithALostAnswerIsDurableAndItsRepeatIsAnswered() {
    sandbox.authorise("lost", 5, GOOD_CARD);
    sandbox.faults(SetFaultsRequest.newBuilder().setLostAnswers(1));
    assertThat(sandbox.find("lost")).as("lists are always answered").isEqualTo("5 AUTHORISED");
    assertThat(statusOfCapture("lost")).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(sandbox.find("lost")).isEqualTo("5 CAPTURED");
    assertThat(sandbox.capture("lost")).isEqualTo(PAYMENT_STATE_CAPTURED);
  }

  @Test
  void delayedAuthorisationArrivesAfterTheVoidOfItsPayment() throws Exception {
    sandbox.faults(SetFaultsRequest.newBuilder().setDelay(Durations.fromMillis(300)));
    long sent = System.nanoTime();
    var late = sandbox.futures().authorise(authorisation("late", 5, GOOD_CARD));
    sandbox.faults(SetFaultsRequest.newBuilder());
    sandbox.voids("late");
    assertThat(late.get().getState()).isEqualTo(PAYMENT_STATE_VOIDED);
    assertThat(Duration.ofNanos(System.nanoTime() - sent)).isGreaterThan(Duration.ofMillis(300));
  }

  @Test
  void delayedCallIsProcessedEvenIfItsCallerNoLongerWaits() {
    sandbox.faults(SetFaultsRequest.newBuilder().setDelay(Durations.fromMillis(400)));
    var impatient =
        sandbox
            .futures()
            .withDeadlineAfter(SHORT)
            .authorise(authorisation("impatient", 5, GOOD_CARD));
    await(impatient::isDone);
    assertThat(Status.fromThrowable(impatient.exceptionNow()).getCode())
        .isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    sandbox.faults(SetFaultsRequest.newBuilder());
    await(() -> sandbox.find("impatient").equals("5 AUTHORISED"));
  }

  @Test
  void noThreadWaitsForADelay() {
    var faults = new SandboxFaults();
    faults.set(SandboxFaults.MAX_DELAY, 0);
    int before = ManagementFactory.getThreadMXBean().getThreadCount();
    IntStream.range(0, SandboxFaults.MAX_DELAYED_CALLS)
        .forEach(_ -> faults.read(() -> CompletableFuture.completedFuture("")));
    assertThat(ManagementFactory.getThreadMXBean().getThreadCount()).isLessThan(before + 20);
    assertThat(faults.read(() -> CompletableFuture.completedFuture("")))
        .as("the number of delayed calls is bounded")
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .withMessageContaining("10000 calls are delayed already; the request was not processed");
  }

  @Test
  void faultsOutOfRangeAreRefusedAndTheOthersStay() {
    sandbox.authorise("stays", 5, GOOD_CARD);
    sandbox.faults(SetFaultsRequest.newBuilder().setLostAnswers(1));
    for (var request :
        List.of(
            SetFaultsRequest.newBuilder().setDelay(Durations.fromMillis(60_001)),
            SetFaultsRequest.newBuilder().setDelay(Durations.fromMillis(-1)),
            SetFaultsRequest.newBuilder()
                .setDelay(com.google.protobuf.Duration.newBuilder().setNanos(Integer.MAX_VALUE)),
            SetFaultsRequest.newBuilder().setLostAnswers(-1),
            SetFaultsRequest.newBuilder().setLostAnswers(1_000_001))) {
      assertThat(error(() -> sandbox.faults(request)).reason()).isEqualTo(ErrorReason.INVALID);
    }
    assertThat(statusOfCapture("stays")).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
  }

  private static Status.Code statusOfCapture(String payment) {
    var capture = CaptureRequest.newBuilder().setPaymentId(payment).build();
    return Status.fromThrowable(
            catchThrowable(() -> sandbox.payments().withDeadlineAfter(SHORT).capture(capture)))
        .getCode();
  }
}
