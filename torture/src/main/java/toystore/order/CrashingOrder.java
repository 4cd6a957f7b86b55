package toystore.order;

import io.grpc.ClientInterceptor;
import io.grpc.ServerInterceptor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.grpc.client.GlobalClientInterceptor;
import org.springframework.grpc.server.GlobalServerInterceptor;
import toystore.platform.service.ServiceProcess;
import toystore.platform.storage.BatchStore;
import toystore.torture.crash.CrashPoint;
import toystore.torture.crash.CrashPointInterceptors;
import toystore.torture.crash.CrashingBatchStore;

/// The order service with crash points around entering a sale and around its commits. It is in the
/// order service's package because the classes it uses are package-private.
public final class CrashingOrder {
  private CrashingOrder() {}

  public static void main(String[] args) {
    ServiceProcess.run(
        CrashingOrderSetup.class, OrderApplication.NAME, OrderApplication.SETTINGS, args);
  }

  @Import(OrderApplication.class)
  static class CrashingOrderSetup {
    @Bean
    @Primary
    BatchStore<OrderCommand, OrderResult> crashingBatchStore(OrderBatchStore batchStore) {
      return new CrashingBatchStore<>(batchStore);
    }

    @Bean
    @GlobalClientInterceptor
    ClientInterceptor beforeEntering() {
      return CrashPointInterceptors.onClientResponse("Sell", CrashPoint.BEFORE_ENTERING);
    }

    @Bean
    @GlobalServerInterceptor
    ServerInterceptor afterEntering() {
      return CrashPointInterceptors.onServerResponse("PlaceOrder", CrashPoint.AFTER_ENTERING);
    }
  }
}
