package toystore.lab.floor;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import toystore.lab.load.LoadProgram;
import toystore.lab.run.Subject;

/// A floor as a subject of an experiment.
///
/// @param home the project folder
/// @param server main class of its server; null: the load client does all the work
/// @param scheme of its URL if it has no server; `http` is called by the usual load client, all
///   others by [FloorLoad]
/// @param libraries class path of the libraries, such as `lib/*`
record FloorSubject(
    String name,
    String description,
    Path home,
    @Nullable Class<?> server,
    String scheme,
    String libraries)
    implements Subject {
  private static final long STOP_SECONDS = 10;
  private static final String READY = "ready ";
  private static final String HEAP = "-Xmx192m"; // as the frontend

  @Override
  public Running start(Path folder) throws IOException, InterruptedException {
    if (server == null) {
      return started(URI.create(scheme + ":" + folder), null);
    }
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add(HEAP);
    command.add("@" + home.resolve("jvm.options"));
    command.addAll(List.of("-cp", classes() + ":" + libraries, server.getName()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    var output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    var before = new StringBuilder();
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      if (line.startsWith(READY)) {
        Thread.startVirtualThread(() -> output.lines().forEach(_ -> {})); // so that it never blocks
        return started(URI.create(line.substring(READY.length())), process);
      }
      before.append(line).append('\n');
    }
    throw new IOException("%s did not become ready: %s".formatted(name, before));
  }

  private Running started(URI url, @Nullable Process process) {
    boolean http = url.getScheme().equals("http");
    Class<?> program = http ? LoadProgram.class : FloorLoad.class;
    return new Started(
        url, process, System.currentTimeMillis(), program.getName(), http ? "" : ":" + libraries);
  }

  private static Path classes() {
    return Path.of(
        URI.create(
            FloorSubject.class.getProtectionDomain().getCodeSource().getLocation().toString()));
  }

  private record Started(
      URI url, @Nullable Process process, long readyMillis, String loadProgram, String libraries)
      implements Running {
    @Override
    public Map<String, Long> pids() {
      return process == null ? Map.of() : Map.of("server", process.pid());
    }

    @Override
    public void close() throws InterruptedException {
      if (process != null) {
        process.destroy();
        if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
          process.destroyForcibly();
        }
      }
    }
  }
}
