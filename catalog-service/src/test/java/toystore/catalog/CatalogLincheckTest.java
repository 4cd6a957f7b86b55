package toystore.catalog;

import java.util.List;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Options;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/// What readers are promised while the writer's thread publishes: what a name bears is one value
/// that changes at one moment, in `find` as in the pages; so no reader sees a name go back in time.
/// No more is promised: a page is no snapshot of several names, `find` and the pages change one
/// after the other, and a product that changes its category stands on no shelf for a moment.
///
/// `-Dtoystore.lincheck.iterations=N` tries N scenarios of each, by stress and by Lincheck's model
/// checker, which needs `--add-opens java.base/java.util=ALL-UNNAMED --add-opens
/// java.base/java.util.concurrent=ALL-UNNAMED`.
class CatalogLincheckTest {
  private static final int ITERATIONS = Integer.getInteger("toystore.lincheck.iterations", 3);
  private static final String NAME = "Tux";

  @Test
  void findIsLinearizablePerName() {
    tried(new StressOptions().invocationsPerIteration(300)).check(Finding.class);
  }

  @Test
  void pageIsLinearizablePerName() {
    tried(new StressOptions().invocationsPerIteration(300)).check(Paging.class);
  }

  @Test
  @EnabledIfSystemProperty(named = "toystore.lincheck.iterations", matches = ".*")
  void nameNeverGoesBackInAnyInterleaving() {
    tried(new ModelCheckingOptions().invocationsPerIteration(1_000)).check(Finding.class);
    tried(new ModelCheckingOptions().invocationsPerIteration(1_000)).check(Paging.class);
  }

  private static <O extends Options<O, ?>> O tried(O options) {
    return options
        .iterations(ITERATIONS)
        .threads(3)
        .actorsPerThread(3)
        .actorsBefore(1)
        .actorsAfter(1);
  }

  /// One publishing thread; Lincheck makes the threads and looks for an order of what they did that
  /// explains what they saw.
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
      return catalog.page("", "", 10).stream().map(Product::quantity).toList();
    }
  }

  private static Product tux(int quantity) {
    return new Product(1, null, NAME, "Plush", 1, quantity, 0, null, false);
  }
}
