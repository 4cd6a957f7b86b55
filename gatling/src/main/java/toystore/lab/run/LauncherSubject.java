package toystore.lab.run;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A store that is started as users start it: `./toystore up --fresh`.
///
/// @param home the project folder, of this or of another commit
/// @param port port of the frontend
/// @param options further options of `up`, such as `--together`
public record LauncherSubject(
    String name, String description, Path home, int port, List<String> options) implements Subject {
  private static final Pattern SERVICE =
      Pattern.compile("([a-z]+)-service +pid (\\d+), .*management (?:\\S*:)?(\\d+)");
  private static final Pattern FRONTEND = Pattern.compile("frontend-service +pid (\\d+), HTTP .*");
  private static final Pattern TOGETHER = Pattern.compile(".*\\bpid (\\d+),? .*HTTP .*");
  private static final Pattern READY = Pattern.compile("ready (http://\\S+)");
  private static final int PRODUCTS = 200;
  private static final int STOCK = 1_000_000_000;
  private static final int KEPT_LINES = 20;
  private static final long STOP_SECONDS = 60;

  @Override
  public Running start(Path folder) throws IOException, InterruptedException {
    Path catalog = folder.resolve("catalog.csv");
    Files.writeString(catalog, catalog());
    var command = new ArrayList<>(List.of("./toystore", "up", "--fresh"));
    command.addAll(List.of("--port", Integer.toString(port), "--catalog", catalog.toString()));
    command.addAll(options);
    Process process =
        new ProcessBuilder(command).directory(home.toFile()).redirectErrorStream(true).start();
    try {
      return running(process);
    } catch (IOException | RuntimeException e) {
      stop(process);
      throw e;
    }
  }

  /// Products that never run out of stock.
  static String catalog() {
    var lines = new StringBuilder("name,price,quantity\n");
    for (int i = 1; i <= PRODUCTS; i++) {
      lines.append("Toy %d,9.99,%d%n".formatted(i, STOCK));
    }
    return lines.toString();
  }

  /// The products of [#catalog].
  static List<String> products() {
    var products = new ArrayList<String>();
    for (int i = 1; i <= PRODUCTS; i++) {
      products.add("Toy " + i);
    }
    return products;
  }

  private Running running(Process process) throws IOException {
    var pids = new TreeMap<String, Long>();
    var metrics = new TreeMap<String, URI>();
    Deque<String> last = new ArrayDeque<>();
    var output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      last.addLast(line);
      if (last.size() > KEPT_LINES) {
        last.removeFirst();
      }
      Matcher service = SERVICE.matcher(line);
      if (service.lookingAt()) {
        pids.put(service.group(1), Long.parseLong(service.group(2)));
        metrics.put(service.group(1), metrics(Integer.parseInt(service.group(3))));
      }
      Matcher frontend = FRONTEND.matcher(line);
      if (frontend.lookingAt()) {
        pids.put("frontend", Long.parseLong(frontend.group(1)));
      }
      Matcher together = TOGETHER.matcher(line);
      if (pids.isEmpty() && together.lookingAt()) {
        pids.put("store", Long.parseLong(together.group(1)));
        metrics.put("store", metrics(port + 1));
      }
      Matcher ready = READY.matcher(line);
      if (ready.lookingAt()) {
        long millis = System.currentTimeMillis();
        Thread.startVirtualThread(() -> drain(output));
        return new Store(
            process, URI.create(ready.group(1)), Map.copyOf(pids), Map.copyOf(metrics), millis);
      }
    }
    throw new IOException("%s did not become ready: %s".formatted(name, String.join(" | ", last)));
  }

  /// Reads the rest of the output, so that the store never waits for a reader.
  private static void drain(BufferedReader output) {
    try (output) {
      output.transferTo(Writer.nullWriter());
    } catch (IOException stopped) {
      // the store was stopped
    }
  }

  private static URI metrics(int port) {
    return URI.create("http://127.0.0.1:%d/actuator/prometheus".formatted(port));
  }

  private record Store(
      Process process, URI url, Map<String, Long> pids, Map<String, URI> metrics, long readyMillis)
      implements Running {
    @Override
    public Map<String, List<String>> values() {
      return Map.of("product", products());
    }

    @Override
    public void close() throws InterruptedException {
      stop(process);
    }
  }

  private static void stop(Process process) throws InterruptedException {
    process.destroy();
    if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
  }
}
