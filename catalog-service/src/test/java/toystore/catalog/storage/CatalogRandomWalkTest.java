package toystore.catalog.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.common.RootLocale.format;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import toystore.catalog.domain.Catalog;
import toystore.catalog.domain.CatalogCommand;
import toystore.catalog.domain.CatalogUnitOfWork;
import toystore.catalog.domain.Item;
import toystore.catalog.domain.Items;
import toystore.catalog.domain.PostingIndex;
import toystore.catalog.domain.Product;
import toystore.catalog.domain.ProductRef;
import toystore.catalog.domain.ProductSpec;
import toystore.catalog.domain.RequestedSaleLine;
import toystore.catalog.domain.Sale;
import toystore.catalog.domain.SaleKind;
import toystore.catalog.domain.SaleSeries;
import toystore.catalog.storage.FailingTransactions.Break;
import toystore.catalog.storage.FailingTransactions.Taken;
import toystore.platform.journal.Answer;
import toystore.platform.journal.RequestKey;
import toystore.platform.journal.Submitted;
import toystore.platform.service.AuditCheckResult;
import toystore.platform.storage.Command;
import toystore.platform.storage.Database;
import toystore.platform.storage.NotExecutedException;
import toystore.platform.storage.PostgresSchema;
import toystore.platform.storage.PostgresServer;
import toystore.platform.storage.ReadPool;
import toystore.platform.storage.SingleWriter;
import toystore.platform.storage.SqliteFile;
import toystore.testkit.TestDatabase;
import toystore.testkit.TestDatabase.Engine;

/// Random commands in batches on a real writer and a real database, compared with a [CatalogModel].
/// They refer to products by name or by id, of the shop or of two sellers who use the same names;
/// these are sold, bought back and returned in two series, with or without an expected price.
///
/// Some commits fail. Sometimes the writer dies at a crash point, and a new one continues with the
/// database as it was left. When an answer is sent, a second connection checks that its effects are
/// on disk.
///
/// A walk depends only on its seed. `-Dwalk.seeds=N` runs the seeds 1 to N.
@Tag("walk")
@ParameterizedClass
@EnumSource(Engine.class)
@SuppressWarnings("NullAway.Init") // set before each test
class CatalogRandomWalkTest {
  private static final List<String> NAMES = List.of("Tux", "Whale", "Bird", "Élan", "熊");
  private static final List<String> CATEGORIES = List.of("", "Plush", "Stocks");
  private static final List<Long> SELLERS = List.of(1L, 2L);
  private static final List<String> KEYWORDS = List.of("A", "b", "Çc", "熊", "e");
  private static final int OPENINGS = 6;
  private static final int ROUNDS = 25;

  @Parameter Engine engine;
  @TempDir Path folder;

  private final CatalogModel model = new CatalogModel();
  private volatile Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private Random random = new Random(0);
  private int keys;

  static LongStream seeds() {
    return LongStream.rangeClosed(1, Long.getLong("walk.seeds", 1));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void catalogMatchesModelInRandomWalk(long seed) throws Exception {
    random = new Random(seed);
    var stored = new TestDatabase(engine, folder, "catalog");
    List<Submitted<CatalogUnitOfWork, ?>> unanswered = List.of();
    for (int opening = 1; opening <= OPENINGS; opening++) {
      try (Database database = open(stored);
          ReadPool pool = database.readers(1, 100)) {
        unanswered = new Opening(database, pool).walk(unanswered);
        if (!unanswered.isEmpty()) {
          stored.kill();
        }
      }
    }
  }

  private static Database open(TestDatabase stored) {
    return stored.open(
        file -> SqliteFile.open(file, "db/catalog"),
        url -> PostgresSchema.of(new PostgresServer(url, "postgres", ""), "catalog"),
        PostgresSchema::tryBecomeWriter);
  }

  /// While the database is open and one writer runs.
  private final class Opening {
    private final ReadPool pool;
    private final Catalog catalog = new Catalog();
    private final CatalogBatches batches;
    private final FailingTransactions<CatalogUnitOfWork> transactions;
    private final CompletableFuture<Throwable> died = new CompletableFuture<>();
    private final List<String> faults = Collections.synchronizedList(new ArrayList<>());

    Opening(Database database, ReadPool pool) throws SQLException {
      this.pool = pool;
      this.batches = new CatalogBatches(database, catalog, () -> now);
      this.transactions = new FailingTransactions<>(database, batches);
    }

    /// @param unanswered by the previous writer; they are sent again
    /// @return the requests that this writer did not answer
    List<Submitted<CatalogUnitOfWork, ?>> walk(List<Submitted<CatalogUnitOfWork, ?>> unanswered)
        throws Exception {
      var writer =
          new SingleWriter<>(
              "walk",
              transactions,
              transactions,
              1_000,
              1 + random.nextInt(16),
              died::complete,
              transactions);
      writer.start();
      assertMatchesModel();
      try (writer) {
        List<Submitted<CatalogUnitOfWork, ?>> lost = round(writer, repeated(unanswered), List.of());
        for (int i = 0; i < ROUNDS && lost.isEmpty(); i++) {
          passTime(writer);
          lost = round(writer, requests(), breaks());
        }
        if (!lost.isEmpty()) {
          return lost;
        }
      }
      assertMatchesModel();
      return List.of();
    }

    /// Submits requests while the writer is blocked, so that the batches are always the same, and
    /// compares the answers with the model.
    ///
    /// @return the unanswered requests; empty unless the writer died
    private List<Submitted<CatalogUnitOfWork, ?>> round(
        SingleWriter<CatalogUnitOfWork> writer,
        List<Submitted<CatalogUnitOfWork, ?>> requests,
        List<Break> breaks)
        throws InterruptedException {
      Map<Submitted<CatalogUnitOfWork, ?>, CompletableFuture<String>> answers =
          new LinkedHashMap<>();
      var waiting = new CountDownLatch(1);
      var go = new CountDownLatch(1);
      writer.submit(gate(waiting, go));
      waiting.await();
      transactions.plan(breaks);
      for (Submitted<CatalogUnitOfWork, ?> request : requests) {
        answers.put(
            request,
            writer
                .submit(transactions.taking(request))
                .thenApply(answer -> checkedOnDisk(request, answer))
                .toCompletableFuture());
      }
      go.countDown();
      var all = CompletableFuture.allOf(answers.values().toArray(CompletableFuture[]::new));
      CompletableFuture.anyOf(all.handle((_, _) -> true), died).join();
      assertThat(faults).isEmpty();
      for (Taken<CatalogUnitOfWork> batch : transactions.taken()) {
        assertAnswered(batch, answers);
      }
      transactions.plan(List.of()); // discards unused faults
      List<Submitted<CatalogUnitOfWork, ?>> lost = new ArrayList<>();
      answers.forEach((request, answer) -> {
        if (!answer.isDone()) {
          lost.add(request);
        }
      });
      assertThat(lost.isEmpty()).as("answered unless writer died").isNotEqualTo(died.isDone());
      return lost;
    }

    private void assertAnswered(
        Taken<CatalogUnitOfWork> batch,
        Map<Submitted<CatalogUnitOfWork, ?>, CompletableFuture<String>> answers) {
      for (Command<CatalogUnitOfWork, ?> command : batch.commands()) {
        if (!(command instanceof Submitted<?, ?> request) || !answers.containsKey(command)) {
          continue; // the command of gate()
        }
        CompletableFuture<String> answer = answers.get(command);
        String due = batch.at().isCommitted() ? model.decide(request, now) : "not done";
        if (batch.at().dies()) {
          assertThat(answer).as("answer to %s", request).isNotDone();
        } else {
          assertThat(answer.exceptionally(CatalogRandomWalkTest::notDone).join())
              .as("answer to %s", request)
              .isEqualTo(due);
        }
      }
    }

    /// The answer as text. Notes a fault if its effects are not on disk.
    private String checkedOnDisk(Submitted<CatalogUnitOfWork, ?> request, Answer<?> answer) {
      String fault =
          pool.read(connection -> faultOf(connection, request, answer))
              .toCompletableFuture()
              .join();
      if (!fault.isEmpty()) {
        faults.add(format("%s to %s: %s", answer, request, fault));
      }
      return CatalogModel.shown(answer);
    }

    private String faultOf(
        Connection connection, Submitted<CatalogUnitOfWork, ?> request, Answer<?> answer)
        throws SQLException {
      if (answer instanceof Answer.Done(Sale sale, _)
          && !SaleStore.find(connection, sale.series(), sale.number()).equals(Optional.of(sale))) {
        return "no such sale is committed";
      }
      RequestKey key = request.key();
      boolean kept =
          switch (answer) {
            case Answer.Done<?> _ -> true;
            case Answer.Refusal<?> refusal ->
                refusal.reason().isKept() && key != null && key.clientMade();
            case Answer.NotDecided<?> _ -> false;
          };
      if (key != null && kept && !isKnown(connection, key)) {
        return "the key is not committed";
      }
      return isPublished(ProductStore.all(connection)) ? "" : "published and committed rows differ";
    }

    /// Exactly these rows: the shop's own products by id and name, items by id.
    private boolean isPublished(List<ProductStore.Row> rows) {
      List<Product> onSale = onSale(rows);
      List<Product> own =
          onSale.stream()
              .filter(it -> it.item() == null)
              .sorted(Comparator.comparing(Product::name))
              .toList();
      return catalog.size() + catalog.items().size() == onSale.size()
          && catalog.page("", "", 0, 100).equals(own)
          && own.stream().allMatch(it -> it.equals(catalog.find(it.name())))
          && rows.stream()
              .allMatch(
                  it -> Objects.equals(found(it.product()), it.removed() ? null : it.product()));
    }

    private @Nullable Product found(Product product) {
      return product.item() == null
          ? catalog.find(product.id())
          : catalog.items().find(product.id());
    }

    private void assertMatchesModel() {
      List<ProductStore.Row> rows = pool.read(ProductStore::all).toCompletableFuture().join();
      assertThat(isPublished(rows)).as("published and committed rows are equal").isTrue();
      assertThat(shown(rows)).isEqualTo(model.shelf());
      for (String category : CATEGORIES.subList(1, CATEGORIES.size())) {
        assertThat(catalog.page(category, "", 0, 100).stream().map(Product::name))
            .containsExactlyElementsOf(model.names(category));
        assertThat(found(category)).containsExactlyElementsOf(model.names(category));
      }
      for (long seller : SELLERS) {
        assertThat(catalog.items().ofSeller(seller, 0, 1_000).stream().map(Product::id))
            .containsExactlyElementsOf(model.itemsOf(seller));
      }
      for (List<String> keywords : List.of(List.<String>of(), List.of("a"), KEYWORDS)) {
        for (int category : List.of(1, Items.ALL_CATEGORIES)) {
          assertThat(catalog.items().search(category, keywords, null, 1_000))
              .extracting(PostingIndex.Match::id)
              .containsExactlyElementsOf(model.search(category, keywords));
        }
      }
      for (SaleSeries series : SaleSeries.values()) {
        assertThat(batches.nextNumber(series)).isEqualTo(model.sold(series));
      }
      List<Sale> sold =
          read(connection -> SaleStore.page(connection, SaleSeries.STORE, 0, Integer.MAX_VALUE));
      for (ProductStore.Row row : rows) {
        long id = row.product().id();
        assertThat(read(connection -> SaleStore.tradesOf(connection, id, Integer.MAX_VALUE)))
            .isEqualTo(
                sold.reversed().stream()
                    .filter(it -> it.kind().isTrade())
                    .filter(it -> it.lines().stream().anyMatch(line -> line.productId() == id))
                    .toList());
      }
      List<AuditCheckResult> checks = new CatalogAudit(pool).run(true).toCompletableFuture().join();
      assertThat(checks)
          .allMatch(AuditCheckResult::ok)
          .contains(
              new AuditCheckResult(
                  "sale numbers", true, "consecutive, checked up to " + checkedUpTo()));
    }

    private List<Sale> read(ReadPool.Query<List<Sale>> query) {
      return pool.read(query).toCompletableFuture().join();
    }

    private String checkedUpTo() {
      long purchases = model.sold(SaleSeries.PURCHASES);
      return model.sold(SaleSeries.STORE)
          + (purchases == 0 ? "" : " and " + purchases + " in series PURCHASES");
    }

    private List<String> found(String words) {
      return pool.read(connection -> ProductWords.search(connection, words, "", "", 0, 100))
          .toCompletableFuture()
          .join();
    }

    /// By seconds, or sometimes by hours so that refusals expire; waits until those are deleted.
    private void passTime(SingleWriter<CatalogUnitOfWork> writer) {
      now = now.plus(random.nextInt(8) == 0 ? Duration.ofHours(13) : Duration.ofSeconds(2));
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
      while (pool.read(this::expired).toCompletableFuture().join() > 0) {
        assertThat(System.nanoTime()).as("expired refusals are deleted").isLessThan(end);
        // each batch deletes a few
        CompletableFuture.anyOf(writer.submit(cancelled()).toCompletableFuture(), died).join();
        assertThat(died.getNow(null)).as("exception that ended the writer").isNull();
      }
      model.forget(now);
    }

    private long expired(Connection connection) throws SQLException {
      try (var statement =
          connection.prepareStatement("SELECT count(*) FROM answer WHERE kept_until < ?")) {
        statement.setLong(1, now.toEpochMilli());
        try (var row = statement.executeQuery()) {
          row.next();
          return row.getLong(1);
        }
      }
    }
  }

  private static boolean isKnown(Connection connection, RequestKey key) throws SQLException {
    try (var statement = connection.prepareStatement("SELECT 1 FROM answer WHERE key = ?")) {
      statement.setString(1, key.stored());
      return statement.executeQuery().next();
    }
  }

  private static List<Product> onSale(List<ProductStore.Row> rows) {
    return rows.stream().filter(it -> !it.removed()).map(ProductStore.Row::product).toList();
  }

  private static Map<Long, String> shown(List<ProductStore.Row> rows) {
    return onSale(rows).stream().collect(Collectors.toMap(Product::id, CatalogModel::shown));
  }

  private static String notDone(Throwable failure) {
    Throwable cause = failure.getCause() == null ? failure : failure.getCause();
    boolean told = cause instanceof NotExecutedException || failure instanceof NotExecutedException;
    return told ? "not done" : failure.toString();
  }

  /// Blocks the writer until `go` is released, while the test submits the commands that follow.
  private static Submitted<CatalogUnitOfWork, ?> gate(CountDownLatch waiting, CountDownLatch go) {
    return new Submitted<>(
        new CatalogCommand.Remove(new ProductRef.Named("nothing")),
        null,
        null,
        () -> {
          waiting.countDown();
          try {
            return go.await(1, TimeUnit.MINUTES);
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  private static Submitted<CatalogUnitOfWork, ?> cancelled() {
    return new Submitted<>(
        new CatalogCommand.Remove(new ProductRef.Named("nothing")), null, null, () -> true);
  }

  /// Those with a key, which a client sends again when it has no answer.
  private static List<Submitted<CatalogUnitOfWork, ?>> repeated(
      List<Submitted<CatalogUnitOfWork, ?>> unanswered) {
    return unanswered.stream()
        .filter(it -> it.key() != null)
        .<Submitted<CatalogUnitOfWork, ?>>map(
            it -> new Submitted<>(it.command(), it.key(), null, () -> false))
        .toList();
  }

  private List<Submitted<CatalogUnitOfWork, ?>> requests() {
    List<Submitted<CatalogUnitOfWork, ?>> requests = new ArrayList<>();
    for (int i = random.nextInt(24); i >= 0; i--) {
      requests.add(request());
    }
    return requests;
  }

  /// About one batch in 24 fails, and about one in 30 kills the writer.
  private List<Break> breaks() {
    List<Break> breaks = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      int dice = random.nextInt(120);
      breaks.add(
          switch (dice) {
            case 0, 1, 2, 3, 4 -> Break.COMMIT_FAILS;
            case 5, 6 -> Break.DIES_BEFORE_COMMIT;
            case 7 -> Break.DIES_AFTER_COMMIT;
            case 8 -> Break.DIES_AFTER_PUBLISH;
            default -> Break.NOWHERE;
          });
    }
    return breaks;
  }

  private Submitted<CatalogUnitOfWork, ?> request() {
    CatalogCommand<?> command = command();
    boolean keyed =
        !(command instanceof CatalogCommand.Remove
            || command instanceof CatalogCommand.Reprice
            || command instanceof CatalogCommand.RepriceItem
            || command instanceof CatalogCommand.RemoveUnits
            || command instanceof CatalogCommand.RestockSoldOut
            || command instanceof CatalogCommand.Import);
    // usually a new key, otherwise a recent one
    int value = random.nextInt(3) == 0 ? Math.max(0, keys - random.nextInt(60)) : keys++;
    RequestKey key = new RequestKey("s", Integer.toString(value), random.nextBoolean());
    boolean cancelled = random.nextInt(30) == 0;
    Instant decideBy = random.nextInt(4) == 0 ? now.plusMillis(random.nextInt(6) - 1) : null;
    return new Submitted<>(command, keyed ? key : null, decideBy, () -> cancelled);
  }

  private CatalogCommand<?> command() {
    return switch (random.nextInt(27)) {
      case 0, 1 -> new CatalogCommand.Add(spec(name()));
      case 18, 19 -> addItem();
      case 20, 21 -> purchase();
      case 25 -> new CatalogCommand.CancelSale(purchase());
      case 22 ->
          new CatalogCommand.ReturnPurchase(random.nextLong(model.sold(SaleSeries.PURCHASES) + 2));
      case 23 -> new CatalogCommand.RepriceItem(seller(), id(), 1 + random.nextInt(500), null);
      case 24 ->
          new CatalogCommand.RemoveUnits(
              seller(),
              id(),
              1 + random.nextInt(5),
              random.nextBoolean() ? null : (Long) (long) random.nextInt(20));
      case 2 -> new CatalogCommand.Restock(product(), 1 + random.nextInt(20));
      case 26 ->
          new CatalogCommand.RestockSoldOut(List.of(id(), id(), id()), 1 + random.nextInt(9));
      case 3 -> new CatalogCommand.Reprice(product(), 1 + random.nextInt(500), null);
      case 4 -> random.nextBoolean() ? new CatalogCommand.Remove(product()) : importOf(name());
      case 16, 17 ->
          new CatalogCommand.Resume(
              product(), random.nextBoolean() ? null : (Long) (1L + random.nextInt(90)), null);
      case 5, 6 -> sell(SaleKind.SELL);
      case 7, 8, 9 -> sell(SaleKind.BUY);
      default -> sell(SaleKind.ORDER);
    };
  }

  private CatalogCommand<?> importOf(String name) {
    List<ProductSpec> specs = new ArrayList<>(List.of(spec(name)));
    String other = name();
    if (!other.equals(name)) {
      specs.add(spec(other));
    }
    return new CatalogCommand.Import(specs, random.nextInt(4) == 0);
  }

  private ProductSpec spec(String name) {
    return new ProductSpec(
        name,
        1 + random.nextInt(500),
        random.nextInt(50),
        random.nextInt(3) == 0 ? null : CATEGORIES.get(random.nextInt(CATEGORIES.size())),
        random.nextBoolean() ? null : (Long) (long) random.nextInt(60));
  }

  private CatalogCommand<?> sell(SaleKind kind) {
    List<RequestedSaleLine> lines = new ArrayList<>(List.of(line(9)));
    boolean asList = random.nextInt(3) == 0;
    for (int more = asList ? random.nextInt(3) : 0; more > 0; more--) {
      lines.add(line(5));
    }
    return new CatalogCommand.Sell(SaleSeries.STORE, kind, asList, lines);
  }

  private CatalogCommand.Sell purchase() {
    List<RequestedSaleLine> lines = new ArrayList<>();
    for (int more = random.nextInt(3); more >= 0; more--) {
      var item = new ProductRef.WithId(id());
      Long expected = random.nextInt(4) == 0 ? model.cents(item) : null;
      lines.add(new RequestedSaleLine(item, 1 + random.nextInt(3), expected));
    }
    return new CatalogCommand.Sell(SaleSeries.PURCHASES, SaleKind.ORDER, true, lines);
  }

  private CatalogCommand<?> addItem() {
    var keywords = new ArrayList<>(KEYWORDS);
    Collections.shuffle(keywords, random);
    var item =
        new Item(
            seller(),
            1 + random.nextInt(2),
            keywords.subList(0, random.nextInt(KEYWORDS.size())),
            random.nextBoolean() ? Item.Condition.NEW : Item.Condition.USED);
    return new CatalogCommand.AddItem(name(), 1 + random.nextInt(500), 1 + random.nextInt(9), item);
  }

  private RequestedSaleLine line(int most) {
    ProductRef product = product();
    Long expected = random.nextInt(4) == 0 ? model.cents(product) : null;
    return new RequestedSaleLine(product, 1 + random.nextInt(most), expected);
  }

  private long seller() {
    return SELLERS.get(random.nextInt(SELLERS.size()));
  }

  /// Of a product that may have been removed or may not exist.
  private long id() {
    return 1 + random.nextLong(model.ids() + 1);
  }

  /// By name or by id; it may have been removed or may not exist.
  private ProductRef product() {
    return random.nextInt(3) == 0 ? new ProductRef.WithId(id()) : new ProductRef.Named(name());
  }

  private String name() {
    return NAMES.get(random.nextInt(NAMES.size()));
  }
}
