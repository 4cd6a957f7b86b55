package toystore.frontend.products;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import toystore.frontend.http.ProductNameValidator;
import toystore.frontend.http.RequestBodies;

/// Any body is parsed as a product or rejected with 400.
class NewProductFuzzTest {
  @FuzzTest
  void anyBodyIsAProductOrReturns400(byte[] body) {
    RequestBodies.readOrRejected(() -> NewProduct.of(RequestBodies.fields(body)))
        .ifPresent(product -> {
          assertThat(product.name()).matches(ProductNameValidator::isValid);
          assertThat(product.priceCents()).isBetween(1L, 100_000_000_000L);
          assertThat(product.quantity()).isPositive();
          assertThat(product.category().codePoints().count()).isBetween(0L, 50L);
        });
  }
}
