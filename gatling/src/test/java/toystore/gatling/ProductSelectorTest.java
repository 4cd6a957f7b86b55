package toystore.gatling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ProductSelectorTest {
  private static final List<ProductSelector.Stock> STOCK =
      List.of(
          new ProductSelector.Stock("Tux", 3),
          new ProductSelector.Stock("Kite", 0),
          new ProductSelector.Stock("Whale", 1));

  @Test
  void buysUseAllProductsAndNeverExceedTheStock() {
    var allocation = new ProductSelector(STOCK, 4);
    assertThat(Stream.generate(allocation::nextForBuy).limit(4))
        .containsExactly("Tux", "Whale", "Tux", "Tux");
    assertThatThrownBy(allocation::nextForBuy).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void queriesUseAllProductsInStock() {
    var allocation = new ProductSelector(STOCK, 4);
    assertThat(Stream.generate(allocation::nextForQuery).limit(4))
        .containsExactly("Tux", "Whale", "Tux", "Whale");
  }

  @Test
  void warmUpMayUseHalfOfTheSpareStock() {
    var allocation = new ProductSelector(STOCK, 1);
    assertThat(Stream.generate(allocation::reserveForWarmUp).limit(3))
        .containsExactly(true, false, false);
  }

  @Test
  void constructorRejectsInsufficientStock() {
    assertThatThrownBy(() -> new ProductSelector(STOCK, 5))
        .hasMessage(
            "the run needs 5 units, but 2 products have 4 in stock; make fewer buys or use a store with more stock");
    assertThatThrownBy(() -> new ProductSelector(List.of(), 1))
        .hasMessageContaining("0 products have 0 in stock");
  }
}
