package toystore.catalog.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import toystore.catalog.domain.Catalog;
import toystore.catalog.domain.CatalogCommand;
import toystore.catalog.domain.CatalogDecider;
import toystore.catalog.domain.CatalogRefusal;
import toystore.catalog.domain.Product;
import toystore.catalog.domain.ProductRef;
import toystore.catalog.domain.ProductSpec;
import toystore.catalog.domain.RequestedSaleLine;
import toystore.catalog.domain.Sale;
import toystore.catalog.domain.Sale.SaleLine;
import toystore.catalog.domain.SaleKind;
import toystore.catalog.domain.SaleSeries;
import toystore.platform.idempotency.Answer;
import toystore.platform.idempotency.RequestKey;
import toystore.platform.idempotency.Submitted;
import toystore.platform.storage.Database;
import toystore.platform.storage.PostgresSchema;
import toystore.platform.storage.PostgresServer;
import toystore.platform.storage.ReadPool;
import toystore.platform.storage.SingleWriter;
import toystore.platform.storage.SqliteFile;
import toystore.testkit.TestDatabase;
import toystore.testkit.TestDatabase.Engine;

/// A key that the client did not make is not looked up, because its request is sent once. A program
/// that sends one again gets the first answer all the same, and disturbs no one else.
@Timeout(60)
@ParameterizedClass
@EnumSource(Engine.class)
@SuppressWarnings("NullAway.Init") // opened before each test
class RepeatedKeyTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final long STOCK = 10;

  @Parameter Engine engine;
  @TempDir Path folder;
  private final Catalog catalog = new Catalog();
  private final CompletableFuture<Throwable> died = new CompletableFuture<>();
  private Database database;
  private SingleWriter<CatalogDecider> writer;

  @BeforeEach
  void open() throws SQLException {
    database =
        new TestDatabase(engine, folder, "catalog")
            .open(
                file -> SqliteFile.open(file, "db/catalog"),
                url -> PostgresSchema.of(new PostgresServer(url, "postgres", ""), "catalog"),
                PostgresSchema::elected);
    var batchStore = new CatalogBatchStore(database, catalog, () -> NOW);
    writer = new SingleWriter<>("catalog", batchStore, 100, 100, died::complete);
    var tux = new ProductSpec("Tux", 2599, STOCK, null, null);
    writer
        .submit(new Submitted<>(new CatalogCommand.Import(List.of(tux), false)))
        .toCompletableFuture()
        .join();
    assertThat(batch(sell("known", 1))).containsExactly(sold(0, "known", false));
  }

  @AfterEach
  void close() throws SQLException {
    writer.close();
    database.close();
    assertThat(died).isNotDone();
  }

  @Test
  void endOfASessionIsKeptAsTheAnswerToItsKey() throws SQLException {
    RequestKey key = CatalogCommand.EndSession.key("ended");
    var end = new Submitted<>(new CatalogCommand.EndSession(), key, null, () -> false);
    for (boolean replayed : new boolean[] {false, true}) {
      assertThat(writer.submit(end).toCompletableFuture().join())
          .isEqualTo(new Answer.Done<>(new CatalogCommand.SessionEnded(), replayed));
    }

    try (ReadPool readers = database.readers(1, 10)) {
      assertThat(isAnswered(readers, key)).isTrue();
      assertThat(isAnswered(readers, CatalogCommand.EndSession.key("another"))).isFalse();
    }
  }

  private static boolean isAnswered(ReadPool readers, RequestKey key) {
    return readers.read(it -> SaleStore.isAnswered(it, key)).toCompletableFuture().join();
  }

  @Test
  void storedAnswerIsRepeatedAndTheOthersOfTheBatchAreSold() {
    assertThat(batch(sell("a", 1), sell("known", 1), sell("b", 1), sell("known", 2)))
        .containsExactly(
            sold(1, "a", false),
            sold(0, "known", true),
            sold(2, "b", false),
            new Answer.NotDecided<>(Answer.Cause.KEY_REUSED));
    assertThat(stock()).isEqualTo(STOCK - 3);
    assertThat(batch(sell("c", 1))).containsExactly(sold(3, "c", false));
  }

  @Test
  void storedAnswerIsRepeatedAlsoAfterTheLastUnitWasSold() {
    batch(sell("all", STOCK - 1));

    assertThat(batch(sell("new", 1), sell("known", 1)))
        .containsExactly(
            new Answer.Refusal<>(CatalogRefusal.OUT_OF_STOCK, "\"Tux\" has 0 left, 1 wanted"),
            sold(0, "known", true));
  }

  @Test
  void equalKeysOfOneBatchGetOneAnswer() {
    assertThat(batch(sell("a", 1), sell("a", 1)))
        .containsExactly(sold(1, "a", false), sold(1, "a", true));
    assertThat(stock()).isEqualTo(STOCK - 2);
  }

  /// Submits commands while the writer is blocked, so that they are one batch.
  @SafeVarargs
  private final List<Answer<Sale, CatalogRefusal>> batch(
      Submitted<CatalogDecider, Sale, CatalogRefusal>... commands) {
    var waiting = new CountDownLatch(1);
    var go = new CountDownLatch(1);
    var nothing = new CatalogCommand.Remove(new ProductRef.Named("nothing"));
    writer.submit(
        new Submitted<>(
            nothing,
            null,
            null,
            () -> {
              waiting.countDown();
              return awaited(go);
            }));
    awaited(waiting);
    List<CompletableFuture<Answer<Sale, CatalogRefusal>>> answers = new ArrayList<>();
    for (Submitted<CatalogDecider, Sale, CatalogRefusal> command : commands) {
      answers.add(writer.submit(command).toCompletableFuture());
    }
    go.countDown();
    return answers.stream().map(CompletableFuture::join).toList();
  }

  private static boolean awaited(CountDownLatch latch) {
    try {
      latch.await();
      return true;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Submitted<CatalogDecider, Sale, CatalogRefusal> sell(String key, long quantity) {
    var lines = List.of(new RequestedSaleLine(new ProductRef.Named("Tux"), quantity, null));
    return new Submitted<>(
        new CatalogCommand.Sell(SaleSeries.STORE, SaleKind.ORDER, false, lines),
        new RequestKey("s", key, false),
        null,
        () -> false);
  }

  private static Answer<Sale, CatalogRefusal> sold(long number, String key, boolean replayed) {
    var lines = List.of(new SaleLine(1, "Tux", 1, 2599));
    var sale = new Sale(SaleSeries.STORE, number, "s\n" + key, SaleKind.ORDER, false, lines, NOW);
    return new Answer.Done<>(sale, replayed);
  }

  private long stock() {
    Product tux = catalog.find("Tux");
    return tux == null ? 0 : tux.quantity();
  }
}
