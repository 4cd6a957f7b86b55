package toystore.frontend;

import java.time.InstantSource;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.webmvc.autoconfigure.WebMvcObservationAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.error.ErrorMvcAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.grpc.client.GrpcChannelFactory;
import toystore.service.Channel;
import toystore.service.ServiceProcess;
import toystore.service.StoreSettings;

/// The frontend as a Spring application. Errors are the edge's own matter, so Boot's error page is
/// left out; so is its timing of each request, which costs more than the request.
@SpringBootApplication(
    exclude = {ErrorMvcAutoConfiguration.class, WebMvcObservationAutoConfiguration.class})
@EnableConfigurationProperties({FrontendSettings.class, StoreSettings.class})
public class FrontendApplication {
  public static final String NAME = "frontend-service";
  public static final Class<? extends Record> SETTINGS = FrontendSettings.class;

  public static void main(String[] args) {
    ServiceProcess.run(FrontendApplication.class, NAME, SETTINGS, args);
  }

  @Bean
  Channel catalogChannel(GrpcChannelFactory channels, FrontendSettings settings) {
    return Channel.open(channels, settings.catalogTarget(), settings.deadline());
  }

  @Bean
  Channel orderChannel(GrpcChannelFactory channels, FrontendSettings settings) {
    return Channel.open(channels, settings.orderTarget(), settings.deadline());
  }

  @Bean
  InstantSource clock() {
    return InstantSource.system();
  }
}
