package toystore.order;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/// Readiness: the service is ready once the book has caught up with the catalog, and while the two
/// match.
@Component("book")
final class BookHealth implements HealthIndicator {
  private final SalesReplicator replicator;
  private final BookBatchStore book;
  private final OrderSettings settings;

  BookHealth(SalesReplicator replicator, BookBatchStore book, OrderSettings settings) {
    this.replicator = replicator;
    this.book = book;
    this.settings = settings;
  }

  @Override
  public Health health() {
    String mismatch = replicator.mismatch();
    Health.Builder health = replicator.isReady() ? Health.up() : Health.outOfService();
    if (mismatch != null) {
      health.withDetail("mismatch", mismatch);
    } else if (!replicator.isReady()) {
      health.withDetail(
          "waiting",
          "ready when the book has caught up with the catalog at toystore.order.catalog-target="
              + settings.catalogTarget());
    }
    String lastError = replicator.lastError();
    if (lastError != null) {
      health.withDetail("error", lastError);
    }
    return health.withDetail("orders", book.position(Order.Series.STORE).next()).build();
  }
}
