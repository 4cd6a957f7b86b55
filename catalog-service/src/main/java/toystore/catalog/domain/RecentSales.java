package toystore.catalog.domain;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// The last sales of series STORE: most orders are read soon after they were placed. The writer's
/// thread publishes; any thread reads.
public final class RecentSales {
  /// Sales of 50 lines each take 10 MB.
  private static final int SIZE = 4_096;

  private final AtomicReferenceArray<@Nullable Sale> sales = new AtomicReferenceArray<>(SIZE);

  public void publish(Sale sale) {
    sales.setRelease((int) (sale.number() % SIZE), sale);
  }

  public @Nullable Sale find(long number) {
    Sale sale = number < 0 ? null : sales.getAcquire((int) (number % SIZE));
    return sale != null && sale.number() == number ? sale : null;
  }
}
