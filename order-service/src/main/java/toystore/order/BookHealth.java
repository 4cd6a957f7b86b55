package toystore.order;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/// The service is ready once the book holds all that was sold, and while book and catalog belong
/// together.
@Component("book")
final class BookHealth implements HealthIndicator {
  private final SalesReplicator follower;
  private final BookBatchStore book;
  private final OrderSettings settings;

  BookHealth(SalesReplicator follower, BookBatchStore book, OrderSettings settings) {
    this.follower = follower;
    this.book = book;
    this.settings = settings;
  }

  @Override
  public Health health() {
    String mismatch = follower.mismatch();
    Health.Builder health = follower.isComplete() ? Health.up() : Health.outOfService();
    if (mismatch != null) {
      health.withDetail("mismatch", mismatch);
    } else if (!follower.isComplete()) {
      health.withDetail(
          "waiting",
          "for the catalog at toystore.order.catalog-target=" + settings.catalogTarget());
    }
    String trouble = follower.trouble();
    if (trouble != null) {
      health.withDetail("trouble", trouble);
    }
    return health.withDetail("orders", book.position(Order.Series.STORE).next()).build();
  }
}
