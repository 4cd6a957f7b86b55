package toystore.gatling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StoreProductsTest {
  @Test
  void inStockReturnsOneProductOrThePage() throws IOException {
    var stock = Map.of("Tux", 80, "Matrjoschka Матрёшка", 65);
    try (var store = new FakeStore(0, FakeStore.Fault.NONE, stock)) {
      var catalog = new StoreProducts(store.url());
      assertThat(catalog.inStock(Optional.of("Matrjoschka Матрёшка")))
          .isEqualTo(List.of(new ProductSelector.Stock("Matrjoschka Матрёшка", 65)));
      assertThat(catalog.inStock(Optional.empty()))
          .containsExactlyInAnyOrder(
              new ProductSelector.Stock("Tux", 80),
              new ProductSelector.Stock("Matrjoschka Матрёшка", 65));
    }
  }

  @Test
  void inStockFailsWithTheUrlWhenProductIsUnknownOrStoreIsDown() throws IOException {
    URI url;
    try (var store = new FakeStore(0, FakeStore.Fault.NONE, Map.of())) {
      url = store.url();
      assertThatThrownBy(() -> new StoreProducts(url).inStock(Optional.of("Tux")))
          .hasMessage(url + "/products/Tux: expected status 200, received 404: {\"data\":{}}");
    }
    assertThatThrownBy(() -> new StoreProducts(url).inStock(Optional.empty()))
        .hasMessageStartingWith(url + "/products?limit=200: no response from the store");
  }
}
