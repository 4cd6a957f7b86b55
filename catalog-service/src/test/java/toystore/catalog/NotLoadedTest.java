package toystore.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.grpc.ManagedChannel;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.event.EventListener;
import toystore.platform.service.StateLoadedEvent;

/// What a process answers while its state is loaded.
class NotLoadedTest {
  @TempDir Path folder;

  private static final class Caller {
    final String name = InProcessServerBuilder.generateName();
    final List<Throwable> refusals = new ArrayList<>();

    @EventListener(StateLoadedEvent.class)
    void call() {
      ManagedChannel channel = InProcessChannelBuilder.forName(name).build();
      refusals.add(catchThrowable(() -> RunningCatalog.sell(channel, "k", "Tux", 1)));
      refusals.add(catchThrowable(() -> RunningCatalog.product(channel, "Tux")));
      channel.shutdownNow();
    }
  }

  @Test
  void nothingIsSoldOrReadBeforeAllIsLoaded() {
    var caller = new Caller();
    try (var catalog = new RunningCatalog(folder, caller.name, List.of(caller))) {
      assertThat(caller.refusals)
          .hasSize(2)
          .allSatisfy(it -> assertThat(it).hasMessage("UNAVAILABLE: the state is not loaded yet"));
      assertThat(catalog.sell().getSale().getNumber()).isZero();
    }
  }
}
