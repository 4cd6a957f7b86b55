package toystore.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.util.Iterator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import toystore.catalog.v1.WatchRequest;
import toystore.catalog.v1.WatchResponse;

class WatchedCatalogTest {
  @TempDir Path folder;

  @Test
  void watchGetsChangesUntilTheServiceStops() {
    Iterator<WatchResponse> answers;
    try (var catalog = new RunningCatalog(folder)) {
      answers = catalog.store().watch(WatchRequest.getDefaultInstance());
      assertThat(answers.next()).isEqualTo(WatchResponse.getDefaultInstance());
      catalog.sell();
      WatchResponse event = answers.next();
      while (event.getNamesCount() == 0) { // a heartbeat came first
        event = answers.next();
      }
      assertThat(event.getNamesList()).containsExactly("Tux");
      catalog.service.close();
      assertThatThrownBy(() -> answers.forEachRemaining(_ -> {}))
          .isInstanceOfSatisfying(
              StatusRuntimeException.class,
              e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE));
    }
  }
}
