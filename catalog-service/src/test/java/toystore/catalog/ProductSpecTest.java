package toystore.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProductSpecTest {
  @ParameterizedTest
  @ValueSource(strings = {"", "/Tux", "Tux/", "%Tux", " Tux", "Tux ", "T\nux", "T\u0007ux"})
  void nameUnsuitableForUrlIsRefused(String name) {
    assertThatThrownBy(() -> spec(name)).hasMessageStartingWith("name must ");
  }

  @Test
  void nameHasAtMost100CodePoints() {
    assertThat(spec("熊".repeat(99) + "🐻").name()).hasSize(101);
    assertThatThrownBy(() -> spec("x".repeat(101)))
        .hasMessage(
            "name must have 1 to 100 characters and no control characters, got \""
                + "x".repeat(100)
                + "…\"");
  }

  @Test
  void controlCharactersAreMaskedInMessages() {
    assertThatThrownBy(() -> spec("a\u001bb")).hasMessageEndingWith("got \"a?b\"");
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

  private static ProductSpec spec(String name) {
    return new ProductSpec(name, 1, 0, null, null);
  }
}
