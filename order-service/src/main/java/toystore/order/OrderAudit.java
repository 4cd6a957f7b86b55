package toystore.order;

import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import toystore.writer.DamagedException;
import toystore.writer.ReadPool;

/// Compares the book on disk with the catalog's sales, order by order, up to the book's position.
/// Neither ever changes an entry, so what was compared is remembered.
///
/// Any thread may ask; one thread of its own compares.
@Component
final class OrderAudit implements AutoCloseable {
  private static final int PAGE = 1_000;
  private static final int WAITING = 10;
  private static final String NAME = "order book";

  private final ReadPool readers;
  private final BookLedger book;
  private final CatalogClient catalog;
  private final ThreadPoolExecutor thread =
      new ThreadPoolExecutor(
          1,
          1,
          0,
          TimeUnit.SECONDS,
          new ArrayBlockingQueue<>(WAITING),
          Thread.ofPlatform().name("order-audit").factory());
  private Position checked = Position.START;
  private @Nullable String difference;

  /// One invariant and what was found.
  record Check(String name, boolean ok, String detail) {}

  OrderAudit(ReadPool readers, BookLedger book, CatalogClient catalog) {
    this.readers = readers;
    this.book = book;
    this.catalog = catalog;
  }

  /// @param full whether to begin again from the first order
  CompletionStage<Check> run(boolean full) {
    return CompletableFuture.supplyAsync(() -> compare(full), thread)
        .exceptionally(OrderAudit::damaged);
  }

  private static Check damaged(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof DamagedException damage) {
        return new Check(NAME, false, String.valueOf(damage.getMessage()));
      }
    }
    throw failure instanceof CompletionException told ? told : new CompletionException(failure);
  }

  @Override
  public void close() {
    thread.close();
  }

  private Check compare(boolean full) {
    if (full) {
      checked = Position.START;
      difference = null;
    }
    Position end = book.position();
    while (difference == null && checked.next() < end.next()) {
      Position from = checked;
      int limit = (int) Math.min(PAGE, end.next() - from.next());
      List<Order> here =
          readers
              .read(connection -> BookStore.page(connection, from.next(), limit))
              .toCompletableFuture()
              .join();
      switch (catalog.sales(from, limit).toCompletableFuture().join()) {
        case CatalogClient.Page.Mismatch mismatch -> difference = mismatch.message();
        case CatalogClient.Page.Sales sales -> compare(here, sales.orders());
      }
    }
    return difference == null
        ? new Check(NAME, true, "equals the catalog's sales up to %d".formatted(checked.next()))
        : new Check(NAME, false, difference);
  }

  /// Compares as many as the catalog gave: its pages may be shorter than what was asked for.
  private void compare(List<Order> here, List<Order> there) {
    for (int i = 0; i < Math.max(1, there.size()); i++) {
      if (i >= here.size() || i >= there.size() || !here.get(i).equals(there.get(i))) {
        difference = "order %d is not the catalog's sale".formatted(checked.next());
        return;
      }
      checked = Position.after(here.get(i));
    }
  }
}
