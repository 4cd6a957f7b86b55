package toystore.torture.network;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.torture.StoreProcesses.await;
import static toystore.torture.StoreProcesses.target;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import toystore.torture.Http;
import toystore.torture.Round;
import toystore.torture.StoreProcesses;
import toystore.torture.network.Attempt.Said;

/// A round: customers shop while the network rages and services are killed and started again; in
/// the evening all is calm, there is plenty of everything, and each of them asks once more.
final class StormyDay implements AutoCloseable {
  private static final String TOKEN = "the-administrator-of-a-stormy-day";
  private static final int STOCK = 12;

  /// Every command that was sent before a moment is decided or refused so long after it: the
  /// frontend's deadline, and some time for clocks and queues.
  private static final long DECIDED_NANOS = TimeUnit.MILLISECONDS.toNanos(1_500);

  private final Round round;
  private final SplittableRandom random;
  private final Network network;
  private final StoreProcesses store;
  private final int customers;
  private final int wishes;
  private final List<Shelf> shelves;
  private final List<String> victims;
  private final History history = new History();
  private final Customer.Counter counter = new Customer.Counter();

  StormyDay(Round round, Network network) throws IOException {
    this.round = round;
    this.random = new SplittableRandom(round.seed());
    this.network = network;
    this.customers = round.quick() ? 8 : 10;
    this.wishes = round.quick() ? 25 : 60;
    this.shelves = Shelf.some(round.quick() ? 3 : 8, STOCK);
    this.victims = round.quick() ? List.of("catalog") : List.of("catalog", "order", "frontend");
    this.store = new StoreProcesses(round.folder()).sell(catalog(shelves));
    store.with("frontend", "toystore.admin-token", TOKEN);
    lead("frontend", "order", "order-target");
    lead("frontend", "catalog", "catalog-target");
    lead("order", "catalog", "catalog-target");
  }

  private static String catalog(List<Shelf> shelves) {
    var lines = new StringBuilder();
    for (Shelf shelf : shelves) {
      shelf.toys().forEach(toy -> lines.append("%s,9.99,%d%n".formatted(toy, STOCK)));
    }
    return lines.toString();
  }

  private void lead(String from, String to, String setting) throws IOException {
    int port = network.link(from + "-" + to, store.port(to));
    store.with(from, "toystore.%s.%s".formatted(from, setting), target(port));
  }

  /// Lets it happen, and checks what can be checked here.
  ///
  /// @return how many requests there were that the store did not turn away
  /// @throws AssertionError that names the promise that was broken
  long live() throws IOException, InterruptedException {
    Http http = store.http("frontend");
    for (String service : List.of("catalog", "order", "frontend")) {
      store.start(service);
    }
    await(http::isReady);
    var outside = new Door(network.link("client-frontend", http.port()), TOKEN);
    network.rage();
    shop(outside);
    network.calm();
    long over = System.nanoTime() + DECIDED_NANOS;
    await(() -> System.nanoTime() > over && http.isReady());
    long repeated = askOnceMore(new Door(http.port(), TOKEN));
    history.write(written(), shelves);
    tell(repeated);
    var shop = new Shop(http, TOKEN);
    new Judge(shelves, history, shop.orders()).check(shop.stock(shelves));
    assertThat(http.audit().body()).startsWith("{\"ok\":true");
    assertThat(List.of(history.count(Said.OTHER), history.count(Said.UNKNOWN), repeated))
        .as("a day on which something happened")
        .allMatch(it -> it > 0);
    return history.size() - history.count(Said.NOT_DONE);
  }

  private void shop(Door door) throws IOException, InterruptedException {
    var open = new AtomicBoolean(true);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 1; i <= customers; i++) {
        Customer customer = customer(i, door);
        all.add(threads.submit(() -> customer.shop(wishes)));
      }
      Customer administrator = customer(0, door);
      Future<?> restocking = threads.submit(() -> administrator.restock(open::get));
      try {
        kill(all);
        all.forEach(StormyDay::finish);
      } finally {
        open.set(false);
      }
      finish(restocking);
    }
  }

  private Customer customer(int number, Door door) {
    return new Customer(number, random.split(), door, history, shelves, counter);
  }

  /// Kills one after the other while they shop, and starts it again.
  private void kill(List<Future<?>> shopping) throws IOException, InterruptedException {
    long all = (long) customers * wishes;
    for (int i = 0; i < victims.size(); i++) {
      long moment = all * (i + 1) / (victims.size() + 1);
      await(() -> counter.served() >= moment || shopping.stream().anyMatch(Future::isDone));
      store.kill(victims.get(i));
      store.start(victims.get(i));
    }
  }

  private static void finish(Future<?> shopping) {
    try {
      shopping.get();
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts a day", e);
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case AssertionError broken -> throw broken;
        case RuntimeException bug -> throw bug;
        case null, default -> throw new IllegalStateException(e);
      }
    }
  }

  /// There is plenty now; what was refused is refused all the same, what was sold is sold once, and
  /// another body is told so.
  ///
  /// @return how many refusals were asked for again
  private long askOnceMore(Door door) {
    Customer everyone = customer(customers + 1, door);
    for (Shelf shelf : shelves) {
      for (String toy : shelf.toys()) {
        everyone.insist(everyone.keyed(new Wish.Restock(shelf, toy, 9)));
      }
    }
    long refusals = 0;
    for (Errand errand : Errand.of(history.attempts())) {
      // most of those who never came back do now: each that does not may or may not have bought,
      // and doubles what the checker of histories has to think of
      Attempt asked = errand.attempts().getFirst();
      if (errand.isOpen() && !asked.key().isEmpty() && random.nextInt(5) > 0) {
        everyone.insist(new Customer.Keyed(asked.key(), asked.wish()));
      }
      Attempt decided = errand.decided().filter(it -> isKept(it)).orElse(null);
      if (decided != null) {
        everyone.insist(new Customer.Keyed(decided.key(), decided.wish()));
        refusals += decided.said() == Said.REFUSED ? 1 : 0;
        if (decided.wish() instanceof Wish.Buy buy && random.nextInt(8) == 0) {
          everyone.insist(new Customer.Keyed(decided.key(), twiceAsMuch(buy)));
        }
        for (Attempt attempt : errand.attempts()) {
          if (attempt.said() == Said.UNKNOWN && !attempt.wish().equals(decided.wish())) {
            everyone.insist(new Customer.Keyed(attempt.key(), attempt.wish()));
          }
        }
      }
    }
    return refusals;
  }

  private static Wish twiceAsMuch(Wish.Buy buy) {
    return new Wish.Buy(
        buy.shelf(),
        buy.lines().stream().map(it -> new Wish.Line(it.toy(), 2 * it.quantity())).toList());
  }

  private static boolean isKept(Attempt decided) {
    return !(decided.wish() instanceof Wish.Look) && (decided.own() || decided.said() == Said.SOLD);
  }

  private void tell(long repeated) {
    round
        .out()
        .printf(
            "%d requests: %d sold, %d refused, %d told 422, %d unknown, %d surely not done; "
                + "%d refusals asked for again; %d processes killed; %s%n",
            history.size(),
            history.count(Said.SOLD),
            history.count(Said.REFUSED),
            history.count(Said.OTHER),
            history.count(Said.UNKNOWN),
            history.count(Said.NOT_DONE),
            repeated,
            victims.size(),
            network.troubles());
  }

  /// Where what clients saw is written for [Porcupine], when the day is over.
  Path written() {
    return round.folder().resolve("history.jsonl");
  }

  @Override
  public void close() throws IOException {
    store.close();
    network.close();
  }
}
