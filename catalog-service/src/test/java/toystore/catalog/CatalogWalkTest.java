package toystore.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import toystore.writer.SingleWriter;
import toystore.writer.SqliteFile;

/// A seeded walk: random commands, in batches of random size, on the real writer and a real file
/// that is closed and opened again now and then, against a shop kept in two maps.
@Timeout(60)
class CatalogWalkTest {
  private static final InstantSource CLOCK = () -> Instant.parse("2026-01-01T00:00:00Z");
  private static final List<String> NAMES = List.of("Tux", "Whale", "Bird", "Élan", "熊");

  @TempDir Path folder;

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void theCatalogIsWhatANaiveShopIs(long seed) throws SQLException {
    var random = new Random(seed);
    var shop = new NaiveShop();
    for (int opened = 0; opened < 5; opened++) {
      try (SqliteFile file = SqliteFile.open(folder.resolve("catalog.db"), "db/catalog")) {
        var catalog = new Catalog();
        var ledger = new CatalogLedger(file, catalog, CLOCK);
        try (var writer = new SingleWriter<>("walk", ledger, 1_000, 16, _ -> {})) {
          for (int round = 0; round < 40; round++) {
            walk(random, writer, shop);
          }
        }
        assertThat(shop.equalsTo(catalog)).isTrue();
        assertAuditIsGood(file, shop);
        ledger.close();
      }
    }
  }

  private static void walk(Random random, SingleWriter<Request, Answer> writer, NaiveShop shop) {
    List<Request> requests = new ArrayList<>();
    for (int i = random.nextInt(20); i >= 0; i--) {
      requests.add(request(random));
    }
    List<CompletableFuture<Answer>> answers =
        requests.stream().map(it -> writer.submit(it).toCompletableFuture()).toList();
    for (int i = 0; i < requests.size(); i++) {
      assertThat(told(answers.get(i).join()))
          .as("answer to %s", requests.get(i))
          .isEqualTo(shop.decide(requests.get(i)));
    }
  }

  private static Request request(Random random) {
    String name = NAMES.get(random.nextInt(NAMES.size()));
    Command command =
        switch (random.nextInt(10)) {
          case 0 -> new Command.Add(new ProductSpec(name, 100, random.nextInt(50), null, null));
          case 1 -> new Command.Restock(name, 1 + random.nextInt(20));
          case 2 ->
              random.nextInt(4) == 0 ? new Command.Remove(name) : new Command.Reprice(name, 5);
          case 3 -> sell(SaleKind.SELL, random, name);
          case 4 -> sell(SaleKind.BUY, random, name);
          default -> sell(SaleKind.ORDER, random, name);
        };
    boolean keyed = !(command instanceof Command.Remove) && !(command instanceof Command.Reprice);
    Key key = new Key("s", Integer.toString(random.nextInt(3_000)), random.nextBoolean());
    return new Request(command, keyed ? key : null, null, () -> false);
  }

  private static Command sell(SaleKind kind, Random random, String name) {
    List<Line> lines = new ArrayList<>(List.of(new Line(name, 1 + random.nextInt(9))));
    boolean asList = random.nextInt(3) == 0;
    for (int more = asList ? random.nextInt(3) : 0; more > 0; more--) {
      lines.add(new Line(NAMES.get(random.nextInt(NAMES.size())), 1 + random.nextInt(5)));
    }
    return new Command.Sell(Series.STORE, kind, asList, lines);
  }

  private static String told(Answer answer) {
    return switch (answer) {
      case Answer.Sold sold -> "sold " + sold.sale().number() + " " + sold.replayed();
      case Answer.Changed changed ->
          "changed %d %d %s"
              .formatted(
                  changed.product().quantity(), changed.product().priceCents(), changed.replayed());
      case Refused refused -> "refused " + refused.reason() + " " + refused.replayed();
      case Answer.Imported _ -> throw new IllegalStateException("nothing was imported");
    };
  }

  private static void assertAuditIsGood(SqliteFile file, NaiveShop shop) throws SQLException {
    try (var reader = file.readers(1, 1)) {
      List<CatalogAudit.Check> checks =
          new CatalogAudit(reader).run(false).toCompletableFuture().join();
      assertThat(checks).allMatch(CatalogAudit.Check::ok);
      assertThat(checks)
          .contains(
              new CatalogAudit.Check(
                  "sale numbers", true, "consecutive, checked up to " + shop.sold));
    }
  }

  /// The shop as one would write it on a napkin: one thread, no disk, no batches.
  private static final class NaiveShop {
    private final Map<String, long[]> products = new TreeMap<>();
    private final Map<String, String> told = new HashMap<>();
    private final Map<String, List<Object>> asked = new HashMap<>();
    private long sold;

    String decide(Request request) {
      Key key = request.key();
      if (key != null && told.containsKey(key.value())) {
        return request.command().values().equals(asked.get(key.value()))
            ? told.get(key.value()) + " true"
            : "refused KEY_REUSED false";
      }
      String answer = decide(request.command());
      if (key != null && (key.clientMade() || !answer.startsWith("refused"))) {
        told.put(key.value(), answer);
        asked.put(key.value(), request.command().values());
      }
      return answer + " false";
    }

    private String decide(Command command) {
      return switch (command) {
        case Command.Add add -> {
          if (products.containsKey(add.spec().name())) {
            yield "refused NAME_TAKEN";
          }
          products.put(
              add.spec().name(), new long[] {add.spec().quantity(), add.spec().priceCents()});
          yield changed(add.spec().name());
        }
        case Command.Restock restock -> change(restock.name(), 0, restock.quantity());
        case Command.Reprice reprice -> {
          if (products.containsKey(reprice.name())) {
            of(reprice.name())[1] = reprice.priceCents();
          }
          yield change(reprice.name(), 1, 0);
        }
        case Command.Remove remove -> {
          String answer = change(remove.name(), 0, 0);
          products.remove(remove.name());
          yield answer;
        }
        case Command.Sell sell -> sell(sell);
        case Command.Import _ -> throw new IllegalStateException("not in this walk");
      };
    }

    private String sell(Command.Sell sell) {
      Map<String, Long> wanted = new TreeMap<>();
      for (Line line : sell.lines()) {
        if (!products.containsKey(line.name())) {
          return "refused PRODUCT_NOT_FOUND";
        }
        long all = wanted.merge(line.name(), line.quantity(), Long::sum);
        if (sell.kind() != SaleKind.SELL && all > of(line.name())[0]) {
          return "refused OUT_OF_STOCK";
        }
      }
      wanted.forEach((name, units) -> of(name)[0] += sell.kind() == SaleKind.SELL ? units : -units);
      return "sold " + sold++;
    }

    private String change(String name, int what, long by) {
      if (!products.containsKey(name)) {
        return "refused PRODUCT_NOT_FOUND";
      }
      of(name)[what] += by;
      return changed(name);
    }

    private long[] of(String name) {
      return Objects.requireNonNull(products.get(name));
    }

    private String changed(String name) {
      return "changed %d %d".formatted(of(name)[0], of(name)[1]);
    }

    boolean equalsTo(Catalog catalog) {
      List<String> here = new ArrayList<>();
      products.forEach((name, it) -> here.add(name + " " + it[0] + " " + it[1]));
      List<String> there =
          catalog.page("", "", 100).stream()
              .map(it -> it.name() + " " + it.quantity() + " " + it.priceCents())
              .toList();
      return here.equals(there);
    }
  }
}
