package toystore.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import toystore.catalog.domain.Catalog;
import toystore.catalog.domain.CatalogCommand;
import toystore.catalog.domain.CatalogDecider;
import toystore.catalog.domain.CatalogRefusal;
import toystore.catalog.domain.Product;
import toystore.catalog.domain.ProductRef;
import toystore.catalog.domain.ProductSpec;
import toystore.catalog.domain.RequestedSaleLine;
import toystore.catalog.domain.Sale;
import toystore.catalog.domain.SaleKind;
import toystore.catalog.domain.SaleSeries;
import toystore.catalog.storage.CatalogAudit;
import toystore.catalog.storage.CatalogBatchStore;
import toystore.catalog.storage.SaleStore;
import toystore.platform.idempotency.Answer;
import toystore.platform.idempotency.RequestKey;
import toystore.platform.idempotency.Submitted;
import toystore.platform.service.AuditCheckResult;
import toystore.platform.storage.ReadPool;
import toystore.platform.storage.SingleWriter;
import toystore.platform.storage.SqliteFile;
import toystore.platform.storage.UnusableFileException;

/// A catalog with one flipped bit in its files or a truncated log. Every response must be the same
/// as without the damage, or an error. One thread.
public final class CorruptedCatalog {
  private static final InstantSource CLOCK = () -> Instant.parse("2026-01-01T00:00:00Z");
  private static final int TOYS = 8;
  private static final int SALES = 60;
  private static final List<String> FILES = List.of("catalog.db", "catalog.db-wal");

  private final Path intact;
  private final List<Product> products = new ArrayList<>();
  private final List<Sale> sales = new ArrayList<>();
  private final List<RecordedCommand<?>> commands = new ArrayList<>();

  /// A request with a client's key, and its response.
  private record RecordedCommand<T>(
      Submitted<CatalogDecider, T, CatalogRefusal> request, Answer<T, CatalogRefusal> answer) {}

  /// The effect of the damage.
  public enum DamageOutcome {
    /// The damaged bytes are not in use.
    HARMLESS,
    /// The service does not start and its message names the file.
    NOT_STARTED,
    /// Some requests fail, all others are answered correctly, and the audit finds the damage.
    FOUND,
    /// SQLite dropped the end of the log, and with it the last sales. Of these, an order service
    /// notices purchases.
    LAST_SALES_LOST
  }

  /// Creates a catalog with products and sales.
  ///
  /// @param folder the folder of its files
  /// @param closed whether it is closed properly, so that the log is copied into the database;
  ///   otherwise it is left as after a kill
  public CorruptedCatalog(Path folder, boolean closed) throws IOException, SQLException {
    this.intact = Files.createDirectories(folder.resolve("whole"));
    Path written = closed ? intact : Files.createDirectories(folder.resolve("written"));
    try (SqliteFile file = SqliteFile.open(written.resolve("catalog.db"), "db/catalog")) {
      var catalog = new Catalog();
      var batchStore = new CatalogBatchStore(file, catalog, CLOCK);
      try (var writer = new SingleWriter<>("whole", batchStore, 100, 10, _ -> {})) {
        trade(writer);
      }
      products.addAll(catalog.page("", "", 0, 2 * TOYS));
      if (!closed) {
        copy(written, intact);
      }
    }
  }

  private void trade(SingleWriter<CatalogDecider> writer) {
    for (int i = 0; i < TOYS; i++) {
      String name = "Toy " + i;
      execute(
          writer,
          "add " + i,
          new CatalogCommand.Add(new ProductSpec(name, 100 + i, 40, "Shelf", null)));
    }
    execute(writer, "restock", new CatalogCommand.Restock(new ProductRef.Named("Toy 1"), 5));
    for (int i = 0; i < SALES; i++) {
      List<RequestedSaleLine> lines = List.of(new RequestedSaleLine("Toy " + i % TOYS, 1 + i % 9));
      execute(
          writer,
          String.format(Locale.ROOT, "018f0000-0000-7000-8000-%012d", i),
          new CatalogCommand.Sell(SaleSeries.STORE, SaleKind.ORDER, i % 3 == 0, lines));
    }
  }

  private <T> void execute(
      SingleWriter<CatalogDecider> writer, String key, CatalogCommand<T> command) {
    var request =
        new Submitted<>(command, new RequestKey("POST /orders", key, true), null, () -> false);
    Answer<T, CatalogRefusal> answer = writer.submit(request).toCompletableFuture().join();
    commands.add(new RecordedCommand<>(request, answer));
    if (answer instanceof Answer.Done(Sale sale, _)) {
      sales.add(sale);
    }
  }

  /// Damages a copy at random and sends it all requests.
  ///
  /// @param folder an empty folder for the copy
  /// @throws AssertionError if a response is wrong, or if a request failed and the audit finds
  ///   nothing
  public DamageOutcome damage(Path folder, Random random) throws IOException, SQLException {
    copy(intact, folder);
    Path log = folder.resolve("catalog.db-wal");
    boolean ofLog = Files.exists(log) && random.nextBoolean();
    if (ofLog && random.nextInt(4) == 0) {
      cutShort(log, random);
    } else {
      flip(ofLog ? log : folder.resolve("catalog.db"), random);
    }
    try (SqliteFile file = SqliteFile.open(folder.resolve("catalog.db"), "db/catalog")) {
      var catalog = new Catalog();
      CatalogBatchStore batchStore = file.load(() -> new CatalogBatchStore(file, catalog, CLOCK));
      return new DamageCheck(file, catalog, batchStore).execute();
    } catch (UnusableFileException refused) {
      assertThat(refused).hasMessageContaining(folder.toString());
      return DamageOutcome.NOT_STARTED;
    }
  }

  /// The requests to the damaged catalog.
  private final class DamageCheck {
    private final SqliteFile file;
    private final Catalog catalog;
    private final CatalogBatchStore batchStore;
    private volatile boolean failed;

    DamageCheck(SqliteFile file, Catalog catalog, CatalogBatchStore batchStore) {
      this.file = file;
      this.catalog = catalog;
      this.batchStore = batchStore;
    }

    DamageOutcome execute() throws SQLException {
      if (batchStore.nextNumber(SaleSeries.STORE) < sales.size()) {
        assertThat(sale(sales.size() - 1L)).as("the last sale").isNull();
        return DamageOutcome.LAST_SALES_LOST;
      }
      assertThat(catalog.page("", "", 0, 2 * TOYS)).as("products").isEqualTo(products);
      for (Sale sale : sales) {
        Sale found = sale(sale.number());
        if (found == null) {
          failed = true;
        } else {
          assertThat(found).as("sale %d", sale.number()).isEqualTo(sale);
        }
      }
      try (var writer = new SingleWriter<>("damaged", batchStore, 100, 10, _ -> failed = true)) {
        commands.forEach(it -> retry(writer, it));
      }
      List<String> faults = faults();
      assertThat(failed && faults.isEmpty())
          .as("a question failed, but the audit finds nothing")
          .isFalse();
      return faults.isEmpty() ? DamageOutcome.HARMLESS : DamageOutcome.FOUND;
    }

    /// Null if the sale cannot be read. It must not be reported as absent.
    private @Nullable Sale sale(long number) throws SQLException {
      try (ReadPool readers = file.readers(1, 1)) {
        return readers
            .read(connection -> SaleStore.find(connection, SaleSeries.STORE, number))
            .toCompletableFuture()
            .join()
            .orElseGet(() -> {
              assertThat(number)
                  .as("number of a sale that is not found")
                  .isGreaterThanOrEqualTo(batchStore.nextNumber(SaleSeries.STORE));
              return null;
            });
      } catch (CompletionException e) {
        return null;
      }
    }

    private <T> void retry(SingleWriter<CatalogDecider> writer, RecordedCommand<T> before) {
      Answer<T, CatalogRefusal> again;
      try {
        again = writer.submit(before.request()).toCompletableFuture().join();
      } catch (CompletionException e) {
        failed = true;
        return;
      }
      if (again.equals(new Answer.NotDecided<>(Answer.Cause.DAMAGED))) {
        failed = true;
        return;
      }
      assertThat(again).as("retry of %s", before.request()).isEqualTo(before.answer().again());
    }

    private List<String> faults() throws SQLException {
      try (ReadPool reader = file.readers(1, 10)) {
        return new CatalogAudit(reader)
            .run(true).toCompletableFuture().join().stream()
                .filter(check -> !Boolean.TRUE.equals(check.ok()))
                .map(AuditCheckResult::detail)
                .toList();
      } catch (CompletionException e) {
        return List.of(String.valueOf(e.getMessage()));
      }
    }
  }

  private static void flip(Path file, Random random) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    int place = random.nextInt(bytes.length);
    while (bytes[place] == 0) { // much of a small database is empty
      place = random.nextInt(bytes.length);
    }
    bytes[place] ^= (byte) (1 << random.nextInt(Byte.SIZE));
    Files.write(file, bytes);
  }

  private static void cutShort(Path file, Random random) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(bytes, random.nextInt(bytes.length)));
  }

  private static void copy(Path from, Path to) throws IOException {
    for (String name : FILES) {
      if (Files.exists(from.resolve(name))) {
        Files.copy(from.resolve(name), to.resolve(name));
      }
    }
  }
}
