package toystore.catalog;

import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;

/// Number, units and amount of the committed sales of one kind since the service started. The
/// writer's thread adds; any thread reads.
final class SalesCounter {
  private final LongAdder sales = new LongAdder();
  private final LongAdder units = new LongAdder();
  private final DoubleAdder cents = new DoubleAdder();

  void add(Sale sale) {
    sales.increment();
    for (Sale.SaleLine line : sale.lines()) {
      units.add(line.quantity());
      cents.add((double) line.quantity() * line.priceCents());
    }
  }

  long sales() {
    return sales.sum();
  }

  long units() {
    return units.sum();
  }

  double cents() {
    return cents.sum();
  }
}
