package toystore.order;

import io.grpc.ServerInterceptor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.grpc.server.GlobalServerInterceptor;
import toystore.platform.service.ServiceProcess;
import toystore.torture.crash.CrashPoint;
import toystore.torture.crash.CrashPointInterceptors;

/// The order service with a crash point before it answers an order.
public final class CrashingOrder {
  private CrashingOrder() {}

  public static void main(String[] args) {
    ServiceProcess.run(
        CrashingOrderSetup.class, OrderApplication.NAME, OrderApplication.SETTINGS, args);
  }

  @Import(OrderApplication.class)
  static class CrashingOrderSetup {
    @Bean
    @GlobalServerInterceptor
    ServerInterceptor beforeAnswer() {
      return CrashPointInterceptors.onServerResponse("PlaceOrder", CrashPoint.BEFORE_ANSWER);
    }
  }
}
