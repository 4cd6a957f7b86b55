package toystore.torture.trial;

import com.google.protobuf.util.Durations;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import toystore.clients.GrpcTestClient;
import toystore.payment.v1.ListPaymentsRequest;
import toystore.payment.v1.ListPaymentsResponse;
import toystore.payment.v1.Payment;
import toystore.payment.v1.PaymentServiceGrpc;
import toystore.payment.v1.SandboxServiceGrpc;
import toystore.payment.v1.SetFaultsRequest;

/// The payment sandbox of a store: its payments, and its faults. One thread.
///
/// @param client has the administrator's token
public record PaymentLedger(GrpcTestClient client) implements AutoCloseable {
  private static final int PAGE = 1_000;
  private static final Duration DEADLINE = Duration.ofSeconds(10);

  /// Replaces the faults: calls that take 1.5 s or a part of it, or a few lost answers, or none.
  public void injectFaults(Random random) {
    var faults = SetFaultsRequest.newBuilder();
    switch (random.nextInt(3)) {
      case 0 -> faults.setDelay(Durations.fromMillis(random.nextInt(800)));
      case 1 -> faults.setLostAnswers(1 + random.nextInt(5));
      default -> {} // none
    }
    set(faults.build());
  }

  public void heal() {
    set(SetFaultsRequest.getDefaultInstance());
  }

  /// Has no effect if the sandbox is down: its faults ended with it.
  private void set(SetFaultsRequest faults) {
    client.connectNow();
    try {
      client.stub(SandboxServiceGrpc::newBlockingStub, Duration.ofSeconds(1)).setFaults(faults);
    } catch (StatusRuntimeException down) {
      // its faults ended with it
    }
  }

  List<Payment> payments() {
    client.connectNow();
    List<Payment> payments = new ArrayList<>();
    ListPaymentsResponse page;
    do {
      page =
          client
              .stub(PaymentServiceGrpc::newBlockingStub, DEADLINE)
              .listPayments(
                  ListPaymentsRequest.newBuilder().setFrom(payments.size()).setLimit(PAGE).build());
      payments.addAll(page.getPaymentsList());
    } while (payments.size() < page.getNextNumber());
    return payments;
  }

  @Override
  public void close() {
    client.close();
  }
}
