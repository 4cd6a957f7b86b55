package toystore.catalog.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ProductSpecTest {
  @Test
  void nameAndCategoryAreNormalisedAndChecked() {
    assertThat(new ProductSpec("Jose\u0301", 1, 0, "Cafe\u0301", null))
        .isEqualTo(new ProductSpec("José", 1, 0, "Café", null));
    assertThatThrownBy(() -> new ProductSpec("Tux;v=1", 1, 0, null, null))
        .hasMessage(
            "name contains SEMICOLON (U+003B) at position 4; a slash, backslash, percent sign or semicolon is not allowed");
    assertThatThrownBy(() -> new ProductSpec("Tux", 1, 0, "Plush ", null))
        .hasMessage(
            "category contains SPACE (U+0020) at position 6; white space at the beginning or end is not allowed");
  }

  @Test
  void numbersOutOfRangeAreRefused() {
    assertThat(new ProductSpec("Tux", 100_000_000_000L, 9_000_000_000_000_000L, "", 0L))
        .isNotNull();
    assertThatThrownBy(() -> new ProductSpec("Tux", 100_000_000_001L, 0, null, null))
        .hasMessage("price in cents must be from 1 to 100000000000, got 100000000001");
    assertThatThrownBy(() -> new ProductSpec("Tux", 1, 0, "x".repeat(51), null))
        .hasMessageStartingWith("category must have 0 to 50 characters");
    assertThatThrownBy(() -> new ProductSpec("Tux", 1, 0, null, -1L))
        .hasMessageStartingWith("max_volume must be from 0");
  }
}
