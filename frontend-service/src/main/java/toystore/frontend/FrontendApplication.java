package toystore.frontend;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.webmvc.autoconfigure.WebMvcObservationAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.error.ErrorMvcAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.grpc.client.GrpcChannelFactory;
import toystore.service.CallSettings;
import toystore.service.Channel;
import toystore.service.Resilience;
import toystore.service.ServiceProcess;
import toystore.service.StoreSettings;

/// The frontend as a Spring application. Errors are the edge's own matter, so Boot's error page is
/// left out; so is its timing of each request, which costs more than the request.
@SpringBootApplication(
    exclude = {ErrorMvcAutoConfiguration.class, WebMvcObservationAutoConfiguration.class})
@EnableConfigurationProperties({FrontendSettings.class, StoreSettings.class, CallSettings.class})
public class FrontendApplication {
  public static final String NAME = "frontend-service";
  public static final Class<? extends Record> SETTINGS = FrontendSettings.class;

  public static void main(String[] args) {
    ServiceProcess.run(FrontendApplication.class, NAME, SETTINGS, args);
  }

  @Bean
  Resilience resilience(CallSettings settings, MeterRegistry metrics) {
    return new Resilience("frontend", settings, metrics);
  }

  @Bean
  Channel catalogChannel(
      GrpcChannelFactory channels, FrontendSettings settings, Resilience resilience) {
    return Channel.open(
        channels, "catalog", settings.catalogTarget(), settings.deadline(), resilience);
  }

  @Bean
  Channel orderChannel(
      GrpcChannelFactory channels, FrontendSettings settings, Resilience resilience) {
    return Channel.open(channels, "order", settings.orderTarget(), settings.deadline(), resilience);
  }

  @Bean
  InstantSource clock() {
    return InstantSource.system();
  }
}
