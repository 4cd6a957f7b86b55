package toystore.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.testkit.Conditions.await;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import toystore.testkit.StoreProcesses;

/// A service starts with the bean definitions that the build generated.
@Timeout(120)
class GeneratedBeansIT {
  private static final String NOT_USED = "startup without generated bean definitions";

  @TempDir Path folder;

  @Test
  void everyServiceUsesThem() throws Exception {
    List<String> services = StoreProcesses.SERVICES;
    try (var store = new StoreProcesses(folder)) {
      services.forEach(it -> store.with(it, "logging.file.name", log(it).toString()));
      store.startAll(services.toArray(String[]::new));
      for (String service : services) {
        assertThat(log(service)).content().contains("Tomcat initialized").doesNotContain(NOT_USED);
      }
    }
  }

  @Test
  void settingOfSpringIsAppliedWithoutThem() throws Exception {
    try (var store = new StoreProcesses(folder)) {
      store.with("catalog", "logging.file.name", log("catalog").toString());
      store.with("catalog", "management.endpoints.web.exposure.include", "health,beans");
      store.start("catalog");
      await(store.http("catalog")::isReady);
      assertThat(store.http("catalog").management("/beans").status()).isEqualTo(200);
      assertThat(log("catalog"))
          .content()
          .contains(NOT_USED + ", because these are set: [management.endpoints.web.exposure.incl");
    }
  }

  private Path log(String service) {
    return folder.resolve(service + ".log");
  }
}
