package toystore.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Three real processes, started from their jars, killed in the middle of buys, and started again.
/// Clients repeat with their keys until they have an answer, and what they were answered is the
/// judge.
@Timeout(240)
class KilledStoreIT {
  private static final Pattern NUMBER = Pattern.compile("\"order_number\":(\\d+)");
  private static final int CLIENTS = 8;

  @TempDir Path folder;

  private final Map<String, Process> processes = new TreeMap<>();
  private final Map<String, Integer> ports = new TreeMap<>();
  private Http http = new Http(0, 0);

  @BeforeEach
  void start() throws IOException {
    for (String port :
        List.of("catalog", "catalog-m", "order", "order-m", "frontend", "frontend-m")) {
      ports.put(port, freePort());
    }
    Files.writeString(folder.resolve("catalog.csv"), "name,price,quantity\nTux,25.99,1000000\n");
    start("catalog-service");
    start("order-service");
    start("frontend-service");
    http = new Http(port("frontend"), port("frontend-m"));
    await(http::isReady);
  }

  @AfterEach
  void stop() {
    processes.values().forEach(Process::destroyForcibly);
  }

  @Test
  void nothingAcknowledgedIsLostWhoeverIsKilledInTheMiddleOfBuys() throws Exception {
    ConcurrentMap<String, Long> acknowledged = new ConcurrentHashMap<>();
    var buying = new AtomicBoolean(true);
    var keys = new AtomicLong();
    List<Future<?>> clients = new ArrayList<>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(threads.submit(() -> buy(acknowledged, keys, buying)));
      }
      for (String victim :
          List.of("catalog-service", "order-service", "frontend-service", "catalog-service")) {
        int before = acknowledged.size();
        await(() -> acknowledged.size() > before + 50);
        kill(victim);
        start(victim);
        await(http::isReady);
      }
      buying.set(false);
    }
    for (Future<?> client : clients) {
      client.get();
    }

    long sold = acknowledged.size();
    assertThat(new TreeMap<>(invert(acknowledged)).keySet())
        .containsExactlyElementsOf(LongStream.range(0, sold).boxed().toList());
    assertThat(http.get("/products/Tux").body()).contains("\"quantity\":" + (1_000_000 - sold));
    for (long number = 0; number < sold; number++) {
      assertThat(http.get("/orders/" + number).status()).as("order %d", number).isEqualTo(200);
    }
    Http.Reply audit = http.audit();
    assertThat(audit.body()).startsWith("{\"ok\":true");
    System.out.printf("%d buys acknowledged, 4 processes killed, nothing lost%n", sold);
  }

  @Test
  void aFrontendWhoseCatalogIsAwayAnswersPromptlyAndRecovers() throws Exception {
    buyOne("first");
    kill("catalog-service");
    long begin = System.nanoTime();
    Http.Reply refused = http.post("/orders", "{\"name\":\"Tux\",\"quantity\":1}");
    assertThat(refused.status()).isIn(503, 504);
    assertThat(System.nanoTime() - begin).isLessThan(TimeUnit.SECONDS.toNanos(5));
    await(() -> http.post("/orders", "{\"name\":\"Tux\",\"quantity\":1}").status() == 503);
    Http.Reply surelyNot = http.post("/orders", "{\"name\":\"Tux\",\"quantity\":1}");
    assertThat(surelyNot.status()).isEqualTo(503);
    assertThat(surelyNot.header("Retry-After")).isNotEmpty();
    assertThat(http.get("/orders/0").status()).isEqualTo(200);

    start("catalog-service");
    await(http::isReady);
    await(() -> buyOne("second").status() == 200); // its way to the catalog is tried each second
    assertThat(buyOne("second").body()).isEqualTo("{\"data\":{\"order_number\":1}}");
  }

  /// Buys until told to stop; each buy is repeated with its key until it is answered.
  private void buy(
      ConcurrentMap<String, Long> acknowledged, AtomicLong keys, AtomicBoolean buying) {
    while (buying.get()) {
      String key = "key-" + keys.getAndIncrement();
      Long number = null;
      while (number == null) {
        number = tryToBuy(key);
      }
      acknowledged.put(key, number);
    }
  }

  private @Nullable Long tryToBuy(String key) {
    try {
      Http.Reply reply = buyOne(key);
      if (reply.status() == 200) {
        return orderNumber(reply.body());
      }
      assertThat(reply.status()).as(reply.body()).isIn(503, 504);
    } catch (IOException away) {
      // the frontend was killed
    }
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    return null;
  }

  private Http.Reply buyOne(String key) throws IOException {
    return http.post("/orders", "{\"name\":\"Tux\",\"quantity\":1}", "Idempotency-Key", key);
  }

  private static long orderNumber(String body) {
    Matcher number = NUMBER.matcher(body);
    assertThat(number.find()).as(body).isTrue();
    return Long.parseLong(number.group(1));
  }

  private static Map<Long, String> invert(Map<String, Long> acknowledged) {
    Map<Long, String> byNumber = new TreeMap<>();
    acknowledged.forEach(
        (key, number) -> assertThat(byNumber.put(number, key)).as("sold twice").isNull());
    return byNumber;
  }

  private void start(String service) throws IOException {
    String name = service.replace("-service", "");
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-jar",
                jar(service).toString(),
                "--toystore.data=" + folder.resolve("data"),
                "--toystore.%s.port=%d".formatted(name, port(name)),
                "--toystore.%s.management-port=%d".formatted(name, port(name + "-m"))));
    if (!name.equals("catalog")) {
      command.add(
          "--toystore.%s.catalog-target=static://127.0.0.1:%d".formatted(name, port("catalog")));
    } else {
      command.add("--toystore.catalog.file=" + folder.resolve("catalog.csv"));
    }
    if (name.equals("frontend")) {
      command.add("--toystore.frontend.order-target=static://127.0.0.1:" + port("order"));
    }
    processes.put(
        service,
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(
                ProcessBuilder.Redirect.appendTo(
                    Path.of("target", "killed-store-" + service + ".log").toFile()))
            .start());
  }

  private void kill(String service) throws InterruptedException {
    Process process = Objects.requireNonNull(processes.get(service));
    assertThat(process.destroyForcibly().waitFor(10, TimeUnit.SECONDS)).isTrue();
  }

  private static Path jar(String service) throws IOException {
    try (var jars = Files.list(Path.of("..", service, "target"))) {
      return jars.filter(it -> it.getFileName().toString().endsWith("-exec.jar"))
          .findFirst()
          .orElseThrow(() -> new IllegalStateException("no jar of " + service + "; run verify"));
    }
  }

  private int port(String name) {
    return ports.getOrDefault(name, 0);
  }

  /// Below those the system gives to outgoing connections, so that it is still free after a kill.
  private static int freePort() {
    return ThreadLocalRandom.current()
        .ints(20_000, 30_000)
        .filter(KilledStoreIT::isFree)
        .findFirst()
        .orElseThrow();
  }

  private static boolean isFree(int port) {
    try (var _ = new ServerSocket(port)) {
      return true;
    } catch (IOException busy) {
      return false;
    }
  }

  private interface Condition {
    boolean holds() throws IOException;
  }

  private static void await(Condition condition) throws IOException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.holds()) {
      assertThat(System.nanoTime()).as("waited 60 s in vain").isLessThan(end);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }
}
