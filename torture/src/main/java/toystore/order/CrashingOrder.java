package toystore.order;

import io.grpc.ClientInterceptor;
import io.grpc.ServerInterceptor;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.grpc.client.GlobalClientInterceptor;
import org.springframework.grpc.server.GlobalServerInterceptor;
import toystore.platform.service.ServiceProcess;
import toystore.platform.storage.Ledger;
import toystore.torture.crash.CrashPoint;
import toystore.torture.crash.CrashingAnswers;
import toystore.torture.crash.CrashingLedger;

/// The order service, with crash points around entering a sale and around its book's commits. It
/// stands in the order service's package, which is closed to others.
public final class CrashingOrder {
  private CrashingOrder() {}

  public static void main(String[] args) {
    ServiceProcess.run(Crashing.class, OrderApplication.NAME, OrderApplication.SETTINGS, args);
  }

  @Import(OrderApplication.class)
  static class Crashing {
    @Bean
    @Primary
    Ledger<List<Order>, Position> crashingLedger(BookLedger ledger) {
      return new CrashingLedger<>(ledger);
    }

    @Bean
    @GlobalClientInterceptor
    ClientInterceptor beforeEntering() {
      return CrashingAnswers.heard("Sell", CrashPoint.BEFORE_ENTERING);
    }

    @Bean
    @GlobalServerInterceptor
    ServerInterceptor afterEntering() {
      return CrashingAnswers.given("PlaceOrder", CrashPoint.AFTER_ENTERING);
    }
  }
}
