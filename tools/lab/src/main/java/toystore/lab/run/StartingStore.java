package toystore.lab.run;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import toystore.lab.load.StartCurve;

/// A store that the load client calls from the moment at which `up` was typed: the client switches
/// to the condition [StartCurve#TYPED], which begins the start.
///
/// @param store what is started
public record StartingStore(String name, LauncherSubject store) implements Subject {
  @Override
  public Running start(Path folder) {
    return new Starting(store, new FutureTask<>(() -> store.start(folder)));
  }

  private record Starting(LauncherSubject store, FutureTask<Running> started) implements Running {
    @Override
    public URI url() {
      return URI.create("http://127.0.0.1:" + store.port());
    }

    @Override
    public URI apply(String condition) {
      Thread.startVirtualThread(started);
      return url();
    }

    @Override
    public Map<String, List<String>> values() {
      return Map.of("product", LauncherSubject.products());
    }

    @Override
    public String loadProgram() {
      return StartCurve.class.getName();
    }

    @Override
    public void close() throws IOException, InterruptedException {
      try {
        started.get().close();
      } catch (ExecutionException e) {
        throw new IOException(e.getCause());
      }
    }
  }
}
