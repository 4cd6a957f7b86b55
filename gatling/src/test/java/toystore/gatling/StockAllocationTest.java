package toystore.gatling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class StockAllocationTest {
  private static final List<StockAllocation.Stock> STOCK =
      List.of(
          new StockAllocation.Stock("Tux", 3),
          new StockAllocation.Stock("Kite", 0),
          new StockAllocation.Stock("Whale", 1));

  @Test
  void buysSpreadOverAllToysAndEmptyEachShelfAtMost() {
    var shelves = new StockAllocation(STOCK, 4);
    assertThat(Stream.generate(shelves::take).limit(4))
        .containsExactly("Tux", "Whale", "Tux", "Tux");
    assertThatThrownBy(shelves::take).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void queriesSpreadOverToysInStock() {
    var shelves = new StockAllocation(STOCK, 4);
    assertThat(Stream.generate(shelves::look).limit(4))
        .containsExactly("Tux", "Whale", "Tux", "Whale");
  }

  @Test
  void aWarmUpMayTakeHalfOfWhatIsNotNeeded() {
    var shelves = new StockAllocation(STOCK, 1);
    assertThat(Stream.generate(shelves::spare).limit(3)).containsExactly(true, false, false);
  }

  @Test
  void tooLittleStockIsRefusedBeforeTheRun() {
    assertThatThrownBy(() -> new StockAllocation(STOCK, 5))
        .hasMessage(
            "the run buys 5 pieces, but 2 products hold 4: fewer buys, or a store with more stock");
    assertThatThrownBy(() -> new StockAllocation(List.of(), 1))
        .hasMessageContaining("0 products hold 0");
  }
}
