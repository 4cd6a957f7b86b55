package toystore.frontend.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import toystore.frontend.http.error.ApiException;
import toystore.frontend.http.key.IdempotencyKey;
import toystore.frontend.page.BuyController.BuyForm;
import toystore.frontend.products.ProductView;
import toystore.platform.error.ErrorReason;

class ProductCardTest {
  private static final ProductView TUX =
      new ProductView("Tux", new BigDecimal("25.99"), 80, null, null, null, null);
  private static final BuyForm PURCHASE =
      new BuyForm(IdempotencyKey.fromClient("k"), "Tux", 2, new BigDecimal("23.99"), null);

  /// The order of the key may have been placed with another quantity, and its answer lost.
  @Test
  void cardOffersNothingIfTheKeyWasUsedForADifferentOrder() {
    assertThat(after(ErrorReason.KEY_REUSED).offers()).isEmpty();
    assertThat(after(ErrorReason.SUSPENDED).offers()).hasSize(1);
    assertThat(after(ErrorReason.OUTCOME_UNKNOWN).offers())
        .extracting(ProductCard.Offer::label)
        .containsExactly("Try again");
  }

  private static ProductCard after(ErrorReason reason) {
    return ProductCard.afterError(Optional.of(TUX), PURCHASE, ApiException.of(reason, "text"));
  }
}
