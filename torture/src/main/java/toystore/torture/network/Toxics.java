package toystore.torture.network;

import static toystore.torture.StoreProcesses.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A network of Toxiproxy's proxies. While it rages, one link after the other is given one of that
/// program's toxics for a moment, or is down.
final class Toxics implements Network {
  static final String PROGRAM = "toxiproxy-server";

  private static final String DOWN = "down";
  private static final Pattern LISTEN = Pattern.compile("\"listen\":\"[^\"]*:(\\d+)\"");
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private final SplittableRandom random;
  private final int port;
  private final Process process;
  private final List<String> links = new CopyOnWriteArrayList<>();
  private final Map<String, Integer> counted = new ConcurrentHashMap<>();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private volatile boolean raging;
  private @Nullable Thread rage;

  Toxics(long seed) throws IOException {
    this.random = new SplittableRandom(seed);
    try (var free = new ServerSocket(0)) {
      this.port = free.getLocalPort();
    }
    Path log = Files.createDirectories(Path.of("target")).resolve("toxiproxy.log");
    this.process =
        new ProcessBuilder(
                Tool.find(PROGRAM).orElseThrow().toString(),
                "-host",
                "127.0.0.1",
                "-port",
                Integer.toString(port))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    await(this::isUp);
  }

  private boolean isUp() {
    try {
      call("GET", "/version", "");
      return true;
    } catch (IOException notYet) {
      return false;
    }
  }

  @Override
  public int link(String name, int to) throws IOException {
    String made =
        call(
            "POST",
            "/proxies",
            "{\"name\":\"%s\",\"listen\":\"127.0.0.1:0\",\"upstream\":\"127.0.0.1:%d\"}"
                .formatted(name, to));
    links.add(name);
    Matcher listen = LISTEN.matcher(made);
    if (!listen.find()) {
      throw new IOException("toxiproxy made " + made);
    }
    return Integer.parseInt(listen.group(1));
  }

  @Override
  public void rage() {
    raging = true;
    rage =
        Thread.ofVirtual()
            .uncaughtExceptionHandler((_, thrown) -> failure.set(thrown))
            .start(this::poison);
  }

  private void poison() {
    try {
      while (raging) {
        String link = links.get(random.nextInt(links.size()));
        Toxic toxic = Toxic.draw(random);
        counted.merge(toxic.type, 1, Integer::sum);
        boolean down = toxic.type.equals(DOWN);
        call(
            "POST",
            "/proxies/" + link + (down ? "" : "/toxics"),
            down ? "{\"enabled\":false}" : toxic.toJson());
        pause(random.nextInt(20, 400));
        call(
            down ? "POST" : "DELETE",
            "/proxies/" + link + (down ? "" : "/toxics/" + toxic.name()),
            down ? "{\"enabled\":true}" : "");
        pause(random.nextInt(20, 150));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// @param toxicity the share of connections it acts on
  private record Toxic(String type, String stream, String attributes, double toxicity) {
    static Toxic draw(SplittableRandom random) {
      String stream = random.nextBoolean() ? "upstream" : "downstream";
      double toxicity = random.nextDouble(0.3, 1);
      return switch (random.nextInt(7)) {
        case 0 -> new Toxic("latency", stream, of("latency", random.nextInt(5, 250)), toxicity);
        case 1 -> new Toxic("timeout", stream, of("timeout", random.nextInt(1, 400)), toxicity);
        case 2 -> new Toxic("reset_peer", stream, of("timeout", random.nextInt(0, 200)), toxicity);
        case 3 -> new Toxic("slicer", stream, of("average_size", 40) + ",\"delay\":2000", toxicity);
        case 4 -> new Toxic("limit_data", stream, of("bytes", random.nextInt(1, 400)), toxicity);
        case 5 -> new Toxic("slow_close", stream, of("delay", random.nextInt(50, 500)), toxicity);
        default -> new Toxic(DOWN, stream, "", 1);
      };
    }

    private static String of(String attribute, int value) {
      return "\"%s\":%d".formatted(attribute, value);
    }

    String name() {
      return type + "-" + stream;
    }

    String toJson() {
      return "{\"name\":\"%s\",\"type\":\"%s\",\"stream\":\"%s\",\"toxicity\":%s,\"attributes\":{%s}}"
          .formatted(name(), type, stream, toxicity, attributes);
    }
  }

  private static void pause(int millis) {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  /// What a link held goes with its connections.
  @Override
  public void calm() throws IOException, InterruptedException {
    raging = false;
    if (rage != null) {
      rage.join();
    }
    if (failure.get() != null) {
      throw new IOException("toxiproxy was not told all it should do", failure.get());
    }
    for (String link : links) {
      call("POST", "/proxies/" + link, "{\"enabled\":false}");
    }
    call("POST", "/reset", "");
  }

  @Override
  public String troubles() {
    return new TreeMap<>(counted)
        .entrySet().stream()
            .map(it -> it.getValue() + " " + it.getKey())
            .collect(Collectors.joining(", "));
  }

  private String call(String method, String path, String body) throws IOException {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .timeout(Duration.ofSeconds(10))
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .build();
    try {
      var response = CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
      if (response.statusCode() >= 300) {
        throw new IOException(
            "%s %s %s: %d %s"
                .formatted(method, path, body, response.statusCode(), response.body()));
      }
      return response.body();
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts a day", e);
    }
  }

  @Override
  public void close() {
    raging = false;
    process.destroyForcibly();
  }
}
