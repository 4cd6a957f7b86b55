package toystore.catalog.domain;

import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;

/// Number, units and amount of the committed sales of one kind since the service started. The
/// writer's thread adds; any thread reads.
public final class SalesCounter {
  private final LongAdder sales = new LongAdder();
  private final LongAdder units = new LongAdder();
  private final DoubleAdder cents = new DoubleAdder();

  public void add(Sale sale) {
    sales.increment();
    for (Sale.SaleLine line : sale.lines()) {
      units.add(line.quantity());
      cents.add((double) line.quantity() * line.priceCents());
    }
  }

  public long sales() {
    return sales.sum();
  }

  public long units() {
    return units.sum();
  }

  public double cents() {
    return cents.sum();
  }
}
