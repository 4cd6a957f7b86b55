package toystore.frontend.products;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.math.BigDecimal;
import toystore.frontend.http.RequestBodies;
import toystore.frontend.http.json.ProductNameValidator;

/// Any body is parsed as a product or rejected with 400.
class NewProductFuzzTest {
  @FuzzTest
  void anyBodyIsAProductOrReturns400(byte[] body) {
    RequestBodies.readOrRejected(() -> RequestBodies.read(body, NewProduct.class))
        .ifPresent(product -> {
          assertThat(product.name()).matches(ProductNameValidator::isValid);
          assertThat(product.price())
              .isBetween(new BigDecimal("0.01"), new BigDecimal("1000000000"));
          assertThat(product.quantity()).isPositive();
          assertThat(product.category().codePoints().count()).isBetween(0L, 50L);
        });
  }
}
