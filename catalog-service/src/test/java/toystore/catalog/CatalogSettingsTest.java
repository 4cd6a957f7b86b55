package toystore.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

@Timeout(20)
class CatalogSettingsTest {
  @ParameterizedTest
  @CsvSource({"direct, main", "virtual, ''", "3, call-worker-[012]"})
  void callRunsOnTheConfiguredExecutor(String workers, String name) throws Exception {
    CatalogSettings settings =
        new Binder(new MapConfigurationPropertySource(Map.of("toystore.catalog.workers", workers)))
            .bind("toystore.catalog", CatalogSettings.class)
            .get();

    var thread = new CompletableFuture<String>();
    settings.callExecutor().execute(() -> thread.complete(Thread.currentThread().getName()));
    assertThat(thread.get()).matches(name);
  }
}
