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
import toystore.lab.run.Subject;

/// A floor as a subject of an experiment.
///
/// @param home the project folder
/// @param server main class of its server; null: the load client does all the work
/// @param scheme of its URL; `http` is called by the usual load client, others by [FloorLoad]
/// @param libraries class path of the libraries, such as `lib/*`
record FloorSubject(
    String name,
    String description,
    Path home,
    @Nullable Class<?> server,
    String scheme,
    String libraries)
    implements Subject {
  private static final String READY = "ready ";
  private static final String HEAP = "-Xmx192m"; // as the frontend
  private static final long STOP_SECONDS = 10;

  @Override
  public Running start(Path folder) throws IOException, InterruptedException {
    if (server == null) {
      return new Started(URI.create(scheme + ":" + folder), null);
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
        return new Started(URI.create(line.substring(READY.length())), process);
      }
      before.append(line).append('\n');
    }
    throw new IOException("%s did not become ready: %s".formatted(name, before));
  }

  private static Path classes() {
    return Path.of(
        URI.create(
            FloorSubject.class.getProtectionDomain().getCodeSource().getLocation().toString()));
  }

  private final class Started implements Running {
    private final URI url;
    private final @Nullable Process process;
    private final long readyMillis = System.currentTimeMillis();

    Started(URI url, @Nullable Process process) {
      this.url = url;
      this.process = process;
    }

    @Override
    public URI url() {
      return url;
    }

    @Override
    public Map<String, Long> pids() {
      return process == null ? Map.of() : Map.of("server", process.pid());
    }

    @Override
    public Map<String, URI> metrics() {
      return Map.of();
    }

    @Override
    public long readyMillis() {
      return readyMillis;
    }

    @Override
    public String loadProgram() {
      return scheme.equals("http") ? Running.super.loadProgram() : FloorLoad.class.getName();
    }

    @Override
    public String libraries() {
      return scheme.equals("http") ? "" : ":" + libraries;
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
