package toystore.lab.run;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import toystore.lab.load.StartCurve;

/// A store that the load client calls from the moment at which `up` was typed: the client switches
/// to the condition [StartCurve#TYPED], which begins the start.
///
/// @param store what is started
public record StartingStore(String name, LauncherSubject store) implements Subject {
  @Override
  public RunningSubject start(Path folder) {
    var started = new FutureTask<>(() -> store.start(folder));
    var starting =
        new RunningSubject(URI.create("http://127.0.0.1:" + store.port())) {
          @Override
          URI apply(String condition) {
            Thread.startVirtualThread(started);
            return url();
          }

          @Override
          Class<?> loadProgram() {
            return StartCurve.class;
          }

          @Override
          public void close() throws IOException, InterruptedException {
            try {
              started.get().close();
            } catch (ExecutionException e) {
              throw new IOException(e.getCause());
            }
          }
        };
    starting.values.put("product", RunningSubject.PRODUCTS);
    return starting;
  }
}
