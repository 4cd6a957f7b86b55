package toystore.frontend.exchange;

import io.micrometer.observation.ObservationPredicate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.server.observation.ServerRequestObservationContext;

/// Leaves the feed out of the durations of requests and out of traces: it lasts up to an hour.
@Configuration(proxyBeanMethods = false)
class ExchangeConfiguration {
  private static final String FEED = "/exchange/feed";

  @Bean
  ObservationPredicate requestsWithoutFeed() {
    return (_, context) ->
        !(context instanceof ServerRequestObservationContext request
            && request.getCarrier() != null
            && request.getCarrier().getRequestURI().endsWith(FEED));
  }
}
