package toystore.gatling;

import static io.gatling.javaapi.core.CoreDsl.StringBody;
import static io.gatling.javaapi.core.CoreDsl.asLongAs;
import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.doIf;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.jsonPath;
import static io.gatling.javaapi.core.CoreDsl.regex;
import static io.gatling.javaapi.core.CoreDsl.repeat;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.PopulationBuilder;
import io.gatling.javaapi.core.ScenarioBuilder;
import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.core.Simulation;
import io.gatling.javaapi.http.HttpProtocolBuilder;
import io.gatling.javaapi.http.HttpRequestActionBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// Query versus buy: how long does `GET /products/{name}` take, how long `POST /orders`, by number
/// of clients? For each number of clients in turn:
///
/// ```
///  n clients connect, once each
///    |  warm up: queries and buys in turn, not counted, see WarmUp
///    +- wait for each other
///    |  queries, one after the other
///    +- wait for each other
///    |  buys, one after the other
///  n clients leave
/// ```
///
/// The model is closed: a client has one call under way and makes the next when it has checked the
/// answer. Gatling starts all n at once and never replaces one.
///
/// **What a latency holds.** Gatling measures whole milliseconds (its issue 3704), so the stopwatch
/// is ours. It starts in the hook for signing, which Gatling calls on the connection's event loop
/// when the connection is there and the request is about to be encoded and written, and stops in
/// the hook that transforms a response, called on the same event loop as soon as the last byte is
/// decoded, before any check. So it holds: encoding, the way there, the store, the way back,
/// decoding. It does not hold: connecting, Gatling's own work between calls, checks.
///
/// **What is checked.** Every answer, warm-up too: status, body, the right name, a price with a
/// decimal point, a whole quantity, an order number not seen before in this run, and no call sent
/// twice. The first failure stops the run and Maven fails; a run that failed, or whose cells are
/// not complete, writes no results.
public final class QueryVsBuySimulation extends Simulation {
  private static final String EXPERIMENT = "Query versus buy";

  private final Settings settings;
  private final Shelves shelves;
  private final Set<Long> orderNumbers = ConcurrentHashMap.newKeySet();
  private final List<Measurement> measurements = new ArrayList<>();
  private volatile boolean failed;

  /// Where the start and end of each call go, by `System.nanoTime()`.
  private interface Latencies {
    void add(long startNanos, long endNanos);
  }

  /// Gatling makes the one instance, then runs what was set up.
  public QueryVsBuySimulation() {
    try {
      settings = settings();
      shelves = stocked(settings);
    } catch (IllegalArgumentException | IllegalStateException wrong) {
      throw ended(wrong.getMessage());
    }
    List<PopulationBuilder> inTurn =
        settings.clients().each().stream().map(this::population).toList();
    setUp(oneAfterTheOther(inTurn))
        .protocols(protocol())
        .assertions(global().failedRequests().count().is(0L));
  }

  private static Settings settings() {
    return Settings.from(
        System.getProperties(),
        Path.of(System.getProperty("toystore.gatling.target", "gatling/target")),
        ZonedDateTime.now());
  }

  private static Shelves stocked(Settings settings) {
    return new Shelves(
        new Catalog(settings.baseUrl()).inStock(settings.product()),
        (long) settings.buys() * settings.clients().sum());
  }

  /// A plain line and exit code 1: Gatling would wrap it in two stack traces. This JVM is ours
  /// alone.
  private static Error ended(@Nullable String line) {
    System.err.println(line);
    System.exit(1);
    return new AssertionError("not reached");
  }

  private static PopulationBuilder oneAfterTheOther(List<PopulationBuilder> populations) {
    PopulationBuilder chain = populations.getLast();
    for (PopulationBuilder earlier : populations.reversed().subList(1, populations.size())) {
      chain = earlier.andThen(chain);
    }
    return chain;
  }

  private HttpProtocolBuilder protocol() {
    return http.baseUrl(settings.baseUrl().toString())
        .acceptHeader("application/json")
        .userAgentHeader("toystore-gatling")
        .disableCaching()
        .disableFollowRedirect()
        .disableUrlEncoding()
        .disableWarmUp();
  }

  private PopulationBuilder population(int clients) {
    var warmUp = new WarmUp();
    String who = clients == 1 ? "1 client" : clients + " clients";
    ScenarioBuilder scenario =
        scenario(who)
            .exec(Client::join)
            .exec(say(who + ": warming up"))
            .exec(
                asLongAs(session -> !warmUp.done())
                    .on(
                        query("warm-up query", warmUp::add),
                        doIf(session -> shelves.spare()).then(buy("warm-up buy", warmUp::add))))
            .rendezVous(clients)
            .exec(say("%s: %,d queries each".formatted(who, settings.queries())))
            .exec(repeat(settings.queries()).on(query(who + ", query", measured(clients, "query"))))
            .rendezVous(clients)
            .exec(say("%s: %,d buys each".formatted(who, settings.buys())))
            .exec(repeat(settings.buys()).on(buy(who + ", buy", measured(clients, "buy"))));
    return scenario.injectOpen(atOnceUsers(clients));
  }

  /// A new cell of the report; a run without all its answers fails.
  private Latencies measured(int clients, String kind) {
    var measurement = new Measurement(clients, kind);
    measurements.add(measurement);
    return measurement::add;
  }

  private ChainBuilder query(String name, Latencies latencies) {
    return exec(session -> wanting(session, shelves.look()))
        .exec(
            timed(http(name).get(session -> Client.of(session).path()), latencies)
                .check(
                    status().is(200),
                    jsonPath("$.data.name").is(session -> Client.of(session).toy()),
                    regex("\"price\"\\s*:\\s*\\d+\\.\\d+\\s*[,}]").exists(),
                    regex("\"quantity\"\\s*:\\s*\\d+\\s*[,}]").exists()))
        .stopLoadGeneratorIf(name + " failed", this::failed);
  }

  private ChainBuilder buy(String name, Latencies latencies) {
    return exec(session -> wanting(session, shelves.take()))
        .exec(
            timed(http(name).post("/orders"), latencies)
                .header("Content-Type", "application/json")
                .body(StringBody(session -> Client.of(session).order()))
                .check(
                    status().is(200),
                    regex(
                            "^\\s*\\{\\s*\"data\"\\s*:\\s*\\{\\s*\"order_number\"\\s*:\\s*(\\d+)\\s*}\\s*}\\s*$")
                        .transform(Long::parseLong)
                        .validate("an order number not given before", this::givenOnce)))
        .stopLoadGeneratorIf(name + " failed", this::failed);
  }

  private static Session wanting(Session session, String toy) {
    Client.of(session).wants(toy);
    return session;
  }

  private static HttpRequestActionBuilder timed(
      HttpRequestActionBuilder call, Latencies latencies) {
    return call.sign(
            (request, session) -> {
              Client.of(session).start();
              return request;
            })
        .transformResponse((response, session) -> {
          long end = System.nanoTime();
          latencies.add(Client.of(session).stop(), end);
          return response;
        });
  }

  private Long givenOnce(Long number, Session session) {
    if (!orderNumbers.add(number)) {
      throw new IllegalArgumentException("order number " + number + " was given twice");
    }
    return number;
  }

  private boolean failed(Session session) {
    if (session.isFailed()) {
      failed = true;
    }
    return session.isFailed();
  }

  /// One line for all clients of a population.
  private static ChainBuilder say(String line) {
    var said = new AtomicBoolean();
    return exec(session -> {
      if (said.compareAndSet(false, true)) {
        System.out.println(line);
      }
      return session;
    });
  }

  /// Called by Gatling after the last client left, before its own report and verdict.
  @Override
  public void after() {
    if (failed) {
      System.out.println(
          "An answer was wrong: no results are written. Gatling's report says which.");
      return;
    }
    checkComplete();
    try {
      System.out.println();
      System.out.println(Report.write(Results.write(settings.results(), about(), measurements)));
    } catch (IOException e) {
      throw new UncheckedIOException(settings.results() + ": cannot write results", e);
    }
  }

  private void checkComplete() {
    long wanted = (long) (settings.queries() + settings.buys()) * settings.clients().sum();
    long found = measurements.stream().mapToLong(Measurement::count).sum();
    if (found != wanted) {
      throw new IllegalStateException(wanted + " answers wanted, found " + found);
    }
  }

  private Map<String, String> about() {
    var about = new LinkedHashMap<>(settings.asText());
    about.put("experiment", EXPERIMENT);
    about.put(
        "time",
        ZonedDateTime.now()
            .truncatedTo(ChronoUnit.SECONDS)
            .format(DateTimeFormatter.ISO_OFFSET_DATE_TIME));
    about.put("java", Runtime.version().toString());
    about.put(
        "os",
        "%s %s %s"
            .formatted(
                System.getProperty("os.name"),
                System.getProperty("os.version"),
                System.getProperty("os.arch")));
    about.put("cpus", String.valueOf(Runtime.getRuntime().availableProcessors()));
    return about;
  }
}
