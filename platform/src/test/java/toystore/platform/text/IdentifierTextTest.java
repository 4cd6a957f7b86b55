package toystore.platform.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;
import static toystore.common.RootLocale.format;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class IdentifierTextTest {
  @Test
  void composedAndDecomposedTextAreTheSame() {
    assertThat(IdentifierText.of("name", "Jose\u0301", 1, 4)).isEqualTo("José");
    assertThat(IdentifierText.normalized("\u212B")).as("ANGSTROM SIGN").isEqualTo("\u00C5");
    assertThat(IdentifierText.normalized("y\u0308\u0323")).isEqualTo("\u1EF5\u0308");
    assertThat(IdentifierText.normalized("ÿ")).isEqualTo("ÿ");
  }

  static Stream<Arguments> unseen() {
    return Stream.of(
        arguments("bo\u200Bb", "ZERO WIDTH SPACE (U+200B) at position 3"),
        arguments("a\0", "NULL (U+0000) at position 2"),
        arguments("a\tb", "CHARACTER TABULATION (U+0009) at position 2"),
        arguments("a\u0085", "NEXT LINE (NEL) (U+0085) at position 2"),
        arguments("toy\u202Egpj", "RIGHT-TO-LEFT OVERRIDE (U+202E) at position 4"),
        arguments("\uFEFFa", "ZERO WIDTH NO-BREAK SPACE (U+FEFF) at position 1"),
        arguments("so\u00ADft", "SOFT HYPHEN (U+00AD) at position 3"),
        arguments("می\u200Cخ", "ZERO WIDTH NON-JOINER (U+200C) at position 3"),
        arguments("a\uE000", "PRIVATE USE AREA E000 (U+E000) at position 2"),
        arguments("🧸\uD800", "HIGH SURROGATES D800 (U+D800) at position 2"),
        arguments("a\u0378", "unassigned character (U+0378) at position 2"),
        arguments("a\uFFFF", "unassigned character (U+FFFF) at position 2"),
        arguments("a\u2028b", "LINE SEPARATOR (U+2028) at position 2"),
        arguments("a\u3164", "HANGUL FILLER (U+3164) at position 2"),
        arguments("a\u2800", "BRAILLE PATTERN BLANK (U+2800) at position 2"),
        arguments("a\u200D", "ZERO WIDTH JOINER (U+200D) at position 2"),
        arguments("❤\u200Da", "ZERO WIDTH JOINER (U+200D) at position 2"),
        arguments("👩\u200D🚒\u200D", "ZERO WIDTH JOINER (U+200D) at position 4"),
        arguments("❤\uFE0F\uFE0F", "VARIATION SELECTOR-16 (U+FE0F) at position 3"),
        arguments("1\uFE0F", "VARIATION SELECTOR-16 (U+FE0F) at position 2"),
        arguments("a" + tags("b"), "TAG LATIN SMALL LETTER B (U+E0062) at position 2"),
        arguments("🏴" + tags("gbeng"), "TAG LATIN SMALL LETTER G (U+E0067) at position 2"));
  }

  @ParameterizedTest
  @MethodSource("unseen")
  void characterThatCannotBeSeenIsRefusedByNameAndPosition(String text, String character) {
    assertThatThrownBy(() -> IdentifierText.of("name", text, 1, 100))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            format(
                "name contains %s; control, format, private-use, unassigned and invisible characters are not allowed",
                character));
  }

  @Test
  void controlCharacterInATextToLookUpIsRefused() {
    IdentifierText.checkControlCharacters("name", " bo\u200Bb🧸");
    assertThatThrownBy(() -> IdentifierText.checkControlCharacters("name", "🧸\n"))
        .hasMessage(
            "name contains LINE FEED (LF) (U+000A) at position 2; control characters and unpaired surrogates are not allowed");
    assertThatThrownBy(() -> IdentifierText.checkControlCharacters("name", "\uDC00"))
        .hasMessageStartingWith("name contains LOW SURROGATES DC00 (U+DC00) at position 1; ");
  }

  static Stream<Arguments> spaced() {
    return Stream.of(
        arguments(" bob", "SPACE (U+0020) at position 1"),
        arguments("🧸 ", "SPACE (U+0020) at position 2"),
        arguments("bob\u00A0", "NO-BREAK SPACE (U+00A0) at position 4"),
        arguments("\u3000bob", "IDEOGRAPHIC SPACE (U+3000) at position 1"),
        arguments("bob\u2007", "FIGURE SPACE (U+2007) at position 4"),
        arguments("bob\u2000", "EN QUAD (U+2000) at position 4"));
  }

  @ParameterizedTest
  @MethodSource("spaced")
  void whiteSpaceOfAnyKindIsRefusedAtBothEnds(String text, String character) {
    assertThatThrownBy(() -> IdentifierText.of("name", text, 1, 100))
        .hasMessage(
            format(
                "name contains %s; white space at the beginning or end is not allowed", character));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "👩\u200D🚒", // joined
        "🏳\uFE0F\u200D🌈 flag",
        "👩🏽\u200D❤\uFE0F\u200D💋\u200D👨🏿", // with skin tones
        "❤\uFE0F\u2764\uFE0E",
        "1\uFE0F\u20E3", // a keycap
        "🇩🇪",
        "\u26F9\uFE0F\u200D\u2642\uFE0F",
        "דובי",
        "ทักซ์",
        "№ 5!",
        "Tux\u3000熊"
      })
  void textInAnyScriptWithEmojiIsAccepted(String text) {
    assertThat(IdentifierText.of("name", text, 1, 100)).isEqualTo(text);
  }

  @Test
  void flagOfASubdivisionIsAccepted() {
    String flag = "🏴" + tags("gbeng") + Character.toString(0xE007F);
    assertThat(IdentifierText.productName(flag)).isEqualTo(flag);
  }

  @Test
  void charactersAreCountedAsCodePointsInNfc() {
    assertThat(IdentifierText.itemName("e\u0301".repeat(31) + "🧸")).hasSize(33);
    assertThatThrownBy(() -> IdentifierText.itemName("🧸".repeat(33)))
        .hasMessage("name must have 1 to 32 characters, got 33");
    assertThat(IdentifierText.productName("熊".repeat(99) + "🐻")).hasSize(101);
    assertThatThrownBy(() -> IdentifierText.productName("x".repeat(101)))
        .hasMessage("name must have 1 to 100 characters, got 101");
    assertThatThrownBy(() -> IdentifierText.productName(""))
        .hasMessage("name must have 1 to 100 characters, got 0");
  }

  static Stream<Arguments> unsuitable() {
    String reason = "; a slash, backslash, percent sign or semicolon is not allowed";
    return Stream.of(
        arguments(".", "name must not be \".\" or \"..\", got \".\""),
        arguments("..", "name must not be \".\" or \"..\", got \"..\""),
        arguments("A/B", "name contains SOLIDUS (U+002F) at position 2" + reason),
        arguments("🧸\\B", "name contains REVERSE SOLIDUS (U+005C) at position 2" + reason),
        arguments("50%", "name contains PERCENT SIGN (U+0025) at position 3" + reason),
        arguments("Tux;v=1", "name contains SEMICOLON (U+003B) at position 4" + reason),
        arguments("a\u037E", "name contains SEMICOLON (U+003B) at position 2" + reason),
        arguments(
            "\u0301",
            "name must contain a letter, digit, punctuation mark or symbol, got only COMBINING ACUTE ACCENT (U+0301)"));
  }

  @ParameterizedTest
  @MethodSource("unsuitable")
  void productNameUnsuitableForAPathIsRefused(String name, String error) {
    assertThatThrownBy(() -> IdentifierText.productName(name)).hasMessage(error);
    assertThatThrownBy(() -> IdentifierText.itemName(name)).hasMessage(error);
  }

  @Test
  void errorOfAKeywordNamesTheKeyword() {
    assertThat(IdentifierText.keywords(List.of("toy car", "cafe\u0301")))
        .containsExactly("toy car", "café");
    assertThatThrownBy(() -> IdentifierText.keywords(List.of("lego", "a,b")))
        .hasMessage(
            "keyword 2 \"a,b\" contains COMMA (U+002C) at position 2; a search separates keywords by commas");
    assertThatThrownBy(() -> IdentifierText.keywords(List.of("lego", "x".repeat(41))))
        .hasMessage("keyword 2 \"" + "x".repeat(40) + "…\" must have 1 to 8 characters, got 41");
    assertThatThrownBy(() -> IdentifierText.keywords(List.of("a\u001Bb")))
        .hasMessage(
            "keyword 1 \"a?b\" contains ESCAPE (U+001B) at position 2; control, format, private-use, unassigned and invisible characters are not allowed");
    assertThat(IdentifierText.hasKeywordLength("e\u0301".repeat(8))).isTrue();
    assertThat(IdentifierText.hasKeywordLength("e\u0301".repeat(9))).isFalse();
  }

  /// The tags that spell a word.
  private static String tags(String word) {
    var tags = new StringBuilder();
    word.chars().forEach(it -> tags.appendCodePoint(0xE0000 + it));
    return tags.toString();
  }
}
