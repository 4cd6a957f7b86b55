package toystore.catalog.domain;

import java.util.List;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Options;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/// Checks [Catalog] while one thread publishes and others read. For each name, `find` and `page`
/// are linearizable: no reader sees an older version of a product after a newer one. A page is not
/// a snapshot of several names, `find` and `page` do not change at the same moment, and a product
/// whose category changes is briefly missing from both pages.
///
/// `-Dtoystore.lincheck.iterations=N` runs N scenarios per test, and enables the model checker,
/// which needs `--add-opens java.base/java.util=ALL-UNNAMED --add-opens
/// java.base/java.util.concurrent=ALL-UNNAMED`.
@Tag("lincheck")
class CatalogLincheckTest {
  private static final int ITERATIONS = Integer.getInteger("toystore.lincheck.iterations", 3);
  private static final String NAME = "Tux";

  @Test
  void findIsLinearizablePerName() {
    configured(new StressOptions().invocationsPerIteration(300)).check(Finding.class);
  }

  @Test
  void pageIsLinearizablePerName() {
    configured(new StressOptions().invocationsPerIteration(300)).check(Paging.class);
  }

  @Test
  @EnabledIfSystemProperty(named = "toystore.lincheck.iterations", matches = ".*")
  void nameNeverGoesBackInAnyInterleaving() {
    configured(new ModelCheckingOptions().invocationsPerIteration(1_000)).check(Finding.class);
    configured(new ModelCheckingOptions().invocationsPerIteration(1_000)).check(Paging.class);
  }

  private static <O extends Options<O, ?>> O configured(O options) {
    return options
        .iterations(ITERATIONS)
        .threads(3)
        .actorsPerThread(3)
        .actorsBefore(1)
        .actorsAfter(1);
  }

  /// Only one thread publishes. Lincheck searches for a sequential order that explains the results.
  public static class Finding {
    private final Catalog catalog = new Catalog();

    @Operation(nonParallelGroup = "writer")
    public void publish(@Param(gen = IntGen.class, conf = "0:5") int quantity) {
      catalog.publish(NAME, tux(quantity));
    }

    @Operation(nonParallelGroup = "writer")
    public void remove() {
      catalog.publish(NAME, null);
    }

    @Operation
    public long find() {
      Product found = catalog.find(NAME);
      return found == null ? -1 : found.quantity();
    }
  }

  public static class Paging {
    private final Catalog catalog = new Catalog();

    @Operation(nonParallelGroup = "writer")
    public void publish(@Param(gen = IntGen.class, conf = "0:5") int quantity) {
      catalog.publish(NAME, tux(quantity));
    }

    @Operation(nonParallelGroup = "writer")
    public void remove() {
      catalog.publish(NAME, null);
    }

    @Operation
    public List<Long> page() {
      return catalog.page("", "", 0, 10).stream().map(Product::quantity).toList();
    }
  }

  private static Product tux(int quantity) {
    return new Product(1, null, NAME, "Plush", 1, quantity, 0, null, false);
  }
}
