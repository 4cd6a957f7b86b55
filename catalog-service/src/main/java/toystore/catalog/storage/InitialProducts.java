package toystore.catalog.storage;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.context.event.EventListener;
import toystore.catalog.domain.CatalogCommand;
import toystore.catalog.domain.CatalogCsv;
import toystore.catalog.domain.CatalogUnitOfWork;
import toystore.catalog.domain.ProductSpec;
import toystore.platform.journal.Submitted;
import toystore.platform.service.DatabaseConfiguration.FirstStartCheck;
import toystore.platform.service.StartupException;
import toystore.platform.service.StateLoadedEvent;
import toystore.platform.storage.SingleWriter;
import toystore.platform.text.Utf8;

/// Imports the catalog file into a new catalog, before anything is served.
public final class InitialProducts implements FirstStartCheck {
  private static final int MAX_FILE_BYTES = 16 << 20; // as in an import

  private final @Nullable Path file;
  private final CatalogBatches state;
  private final SingleWriter<CatalogUnitOfWork> writer;

  /// @param file null: the shipped catalog
  public InitialProducts(
      @Nullable Path file, CatalogBatches state, SingleWriter<CatalogUnitOfWork> writer) {
    this.file = file;
    this.state = state;
    this.writer = writer;
  }

  @Override
  public void check() {
    read(file);
  }

  @EventListener(StateLoadedEvent.class)
  public void onLoaded() {
    if (state.isNew()) {
      var command = new CatalogCommand.Import(read(file), false);
      writer.submit(new Submitted<>(command)).toCompletableFuture().join();
    }
  }

  private static List<ProductSpec> read(@Nullable Path file) {
    String name = file == null ? "the shipped catalog" : file.toString();
    try (InputStream csv = file == null ? openShippedCatalog() : Files.newInputStream(file)) {
      return CatalogCsv.read(Utf8.read(csv, MAX_FILE_BYTES));
    } catch (IOException e) {
      throw new StartupException("catalog file " + name + " cannot be read: " + e, e);
    } catch (IllegalArgumentException e) {
      throw new StartupException(
          "catalog file " + name + ", " + String.valueOf(e.getMessage()).replace('\n', ';'), e);
    }
  }

  private static InputStream openShippedCatalog() {
    return requireNonNull(
        InitialProducts.class.getResourceAsStream("/catalog.csv"),
        "catalog.csv not found on the class path");
  }
}
