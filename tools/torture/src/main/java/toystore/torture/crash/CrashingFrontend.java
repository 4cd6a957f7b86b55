package toystore.torture.crash;

import io.grpc.ClientInterceptor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.grpc.client.GlobalClientInterceptor;
import toystore.frontend.FrontendApplication;
import toystore.platform.service.ServiceProcess;

/// The frontend with a crash point after an order is placed and before the client is answered.
public final class CrashingFrontend {
  private CrashingFrontend() {}

  public static void main(String[] args) {
    ServiceProcess.run(
        CrashingFrontendSetup.class, FrontendApplication.NAME, FrontendApplication.SETTINGS, args);
  }

  @Import(FrontendApplication.class)
  static class CrashingFrontendSetup {
    @Bean
    @GlobalClientInterceptor
    ClientInterceptor beforeTheAnswer() {
      return CrashPointInterceptors.onClientResponse("PlaceOrder", CrashPoint.BEFORE_ANSWER);
    }
  }
}
