package toystore.frontend.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.tracing.handler.TracingObservationHandler;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.Proxy;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.core.ResolvableType;
import org.springframework.web.servlet.HandlerMapping;

class RequestMetricsFilterTest {
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final RequestMetricsFilter filter =
      new RequestMetricsFilter(
          meters,
          new StaticListableBeanFactory()
              .getBeanProvider(ResolvableType.forClass(TracingObservationHandler.class)),
          false);

  /// A client may send any word as the method.
  @Test
  void neitherMetricsNorTheirCacheGrowWithTheMethodsThatClientsInvent() throws Exception {
    for (String method : new String[] {"GET", "POST", "GET"}) {
      send(method);
    }
    for (int i = 0; i < 1_000; i++) {
      send("WORD" + i);
    }

    assertThat(meters.find("http.server.requests").timers())
        .extracting(it -> it.getId().getTag("method"), it -> it.count())
        .containsExactlyInAnyOrder(tuple("GET", 2L), tuple("POST", 1L), tuple("UNKNOWN", 1_000L));
  }

  private void send(String method) throws Exception {
    Map<String, Object> values =
        Map.of("getMethod", method, "getRequestURI", "/assets/shop.css", "getStatus", 405);
    filter.doFilter(
        fake(HttpServletRequest.class, values),
        fake(HttpServletResponse.class, values),
        (_, _) -> {});
  }

  /// Returns these values, the pattern of each request, and null.
  private static <T> T fake(Class<T> type, Map<String, Object> values) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, called, arguments) ->
                called.getName().equals("getAttribute")
                        && arguments[0].equals(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE)
                    ? "/assets/**"
                    : values.get(called.getName())));
  }
}
