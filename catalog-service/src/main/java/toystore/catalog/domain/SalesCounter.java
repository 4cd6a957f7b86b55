package toystore.catalog.domain;

import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;

/// Committed sales of one kind since the start. The writer's thread adds; any thread reads.
public record SalesCounter(LongAdder sales, LongAdder units, DoubleAdder cents) {
  public SalesCounter() {
    this(new LongAdder(), new LongAdder(), new DoubleAdder());
  }

  public void add(Sale sale) {
    sales.increment();
    for (Sale.SaleLine line : sale.lines()) {
      units.add(line.quantity());
      cents.add((double) line.quantity() * line.priceCents());
    }
  }
}
