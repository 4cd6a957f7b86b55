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
        .hasMessage("name must have 1 to 100 characters, got 101: \"" + "x".repeat(100) + "…\"");
  }

  @Test
  void controlCharactersAreMaskedInMessages() {
    assertThatThrownBy(() -> spec("a\u001bb"))
        .hasMessage("name must contain no control character, got U+001B in \"a?b\"");
    assertThatThrownBy(() -> spec("toy\u202Egpj"))
        .hasMessage("name must contain no control character, got U+202E in \"toy?gpj\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Tux\u061C",
        "\u200ETux",
        "Tux\u2066x\u2069", // they change the direction of text
        "\uD800",
        "Tux\uDC00", // lone surrogates
        "Tux\u2028Whale",
        "\u200B",
        "\u2060\uFEFF",
        "\u00AD",
        "\uFE0F",
        "\u3164",
        "\u2800",
        "\u200D" // invisible
      })
  void nameThatLooksLikeAnotherOrLikeNothingIsRefused(String name) {
    assertThatThrownBy(() -> spec(name)).hasMessageStartingWith("name must contain ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"👩\u200D🚒", "❤\uFE0F", "می\u200Cخواهم", "דובי", "ทักซ์", "№ 5!", "e\u0301"})
  void nameInAnyScriptIsAccepted(String name) {
    assertThat(spec(name).name()).isEqualTo(name);
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
