package toystore.torture;

import com.google.protobuf.util.Durations;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import toystore.clients.GrpcTestClient;
import toystore.payment.v1.ListPaymentsRequest;
import toystore.payment.v1.ListPaymentsResponse;
import toystore.payment.v1.Payment;
import toystore.payment.v1.PaymentServiceGrpc;
import toystore.payment.v1.SandboxServiceGrpc;
import toystore.payment.v1.SetFaultsRequest;

/// The payment sandbox of a store: its payments, and its faults. One thread.
public final class PaymentLedger implements AutoCloseable {
  private static final int PAGE = 1_000;
  private static final long DEADLINE_SECONDS = 10;

  private final GrpcTestClient client;

  public PaymentLedger(int port, Path adminToken) throws IOException {
    client = new GrpcTestClient(port, Files.readString(adminToken).strip());
  }

  /// Replaces the faults: calls that take 1.5 s or a part of it, or a few lost answers, or none.
  /// Has no effect if the sandbox is down.
  void injectFaults(Random random) {
    var faults = SetFaultsRequest.newBuilder();
    switch (random.nextInt(3)) {
      case 0 -> faults.setDelay(Durations.fromMillis(random.nextInt(800)));
      case 1 -> faults.setLostAnswers(1 + random.nextInt(5));
      default -> {} // none
    }
    set(faults.build());
  }

  void heal() {
    set(SetFaultsRequest.getDefaultInstance());
  }

  private void set(SetFaultsRequest faults) {
    client.connectNow();
    try {
      SandboxServiceGrpc.newBlockingStub(client.channel())
          .withDeadlineAfter(1, TimeUnit.SECONDS)
          .setFaults(faults);
    } catch (StatusRuntimeException down) {
      // its faults ended with it
    }
  }

  List<Payment> payments() {
    client.connectNow();
    var stub = PaymentServiceGrpc.newBlockingStub(client.channel());
    List<Payment> payments = new ArrayList<>();
    ListPaymentsResponse page;
    do {
      page =
          stub.withDeadlineAfter(DEADLINE_SECONDS, TimeUnit.SECONDS)
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
