package toystore.platform.text;

import static toystore.common.RootLocale.format;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Text that identifies something: a username, the name of a product or item, a category, a
/// keyword. Texts that look the same should be the same text:
/// - It is normalised to NFC.
/// - It neither begins nor ends with white space of any kind.
/// - It has no control, format, private-use or unassigned character, no unpaired surrogate, and no
///   letter or mark that is invisible. Inside an emoji, joiners, variation selectors and tags are
///   part of its picture and therefore allowed.
///
/// These rules apply to new text. Text that an earlier version stored is not checked again, so a
/// request that only looks something up uses [#normalized].
public final class IdentifierText {
  private static final int MAX_PRODUCT_NAME = 100;
  private static final int MAX_ITEM_NAME = 32;
  private static final int MAX_KEYWORD = 8;
  private static final int MAX_QUOTED = 40;

  /// Characters below this one are the same in NFC, in any sequence.
  private static final char FIRST_COMBINING_MARK = '\u0300';

  /// An emoji with the invisible characters that belong to it (Unicode Technical Standard 51):
  /// keycaps; flags of subdivisions, spelled with tags; pictures with a variation selector or a
  /// skin tone, joined to further pictures.
  private static final Pattern EMOJI =
      Pattern.compile(
          """
          [0-9\\#*]\\x{FE0F}\\x{20E3}
          | \\x{1F3F4}[\\x{E0030}-\\x{E0039}\\x{E0061}-\\x{E007A}]{3,6}\\x{E007F}
          | \\p{IsExtended_Pictographic}[\\x{FE0E}\\x{FE0F}\\x{1F3FB}-\\x{1F3FF}]?
            (?:\\x{200D}\\p{IsExtended_Pictographic}[\\x{FE0F}\\x{1F3FB}-\\x{1F3FF}]?)*
          """,
          Pattern.COMMENTS);

  /// Control, format, private-use and unassigned characters, surrogates, line separators; letters,
  /// marks and symbols without a shape (Unicode's Default_Ignorable_Code_Point, and a braille cell
  /// without dots).
  private static final Pattern FORBIDDEN =
      Pattern.compile(
          "[\\p{C}\\p{Zl}\\p{Zp}\\x{034F}\\x{115F}\\x{1160}\\x{17B4}\\x{17B5}\\x{180B}-\\x{180D}"
              + "\\x{180F}\\x{2800}\\x{3164}\\x{FE00}-\\x{FE0F}\\x{FFA0}\\x{E0100}-\\x{E01EF}]");

  private static final Pattern VISIBLE = Pattern.compile("[\\p{L}\\p{N}\\p{P}\\p{S}]");

  private IdentifierText() {}

  /// Returns the text in NFC. Does not check it.
  public static String normalized(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) >= FIRST_COMBINING_MARK) {
        return Normalizer.normalize(text, Normalizer.Form.NFC);
      }
    }
    return text;
  }

  /// Returns the text in NFC.
  ///
  /// @param what the text is, for messages
  /// @param min minimum number of characters (code points) in NFC
  /// @throws IllegalArgumentException with what was expected and what was received
  public static String of(String what, String text, int min, int max) {
    String normalized = normalized(text);
    int length = normalized.codePointCount(0, normalized.length());
    if (length < min || length > max) {
      throw new IllegalArgumentException(
          what + " must have " + min + " to " + max + " characters, got " + length);
    }
    checkCharacters(what, text);
    return normalized;
  }

  /// Returns the name of a product in NFC. Every name fits into one segment of a URL's path.
  ///
  /// @throws IllegalArgumentException with what was expected and what was received
  public static String productName(String name) {
    return name(name, MAX_PRODUCT_NAME);
  }

  /// Returns the name of an item in NFC: like that of a product, but shorter.
  ///
  /// @throws IllegalArgumentException with what was expected and what was received
  public static String itemName(String name) {
    return name(name, MAX_ITEM_NAME);
  }

  private static String name(String text, int max) {
    String name = of("name", text, 1, max);
    if (name.equals(".") || name.equals("..")) {
      throw new IllegalArgumentException("name must not be \".\" or \"..\", got \"" + name + '"');
    }
    refuse("name", name, "/\\%;", "a slash, backslash, percent sign or semicolon is not allowed");
    if (!VISIBLE.matcher(name).find()) {
      throw new IllegalArgumentException(
          "name must contain a letter, digit, punctuation mark or symbol, got only "
              + described(name.codePointAt(0)));
    }
    return name;
  }

  /// Returns the keywords of an item in NFC.
  ///
  /// @throws IllegalArgumentException with the keyword, what was expected and what was received
  public static List<String> keywords(List<String> keywords) {
    var normalized = new ArrayList<String>(keywords.size());
    for (String keyword : keywords) {
      String what = "keyword " + (normalized.size() + 1) + " \"" + quoted(keyword) + '"';
      normalized.add(of(what, keyword, 1, MAX_KEYWORD));
      refuse(what, keyword, ",", "a search separates keywords by commas");
    }
    return normalized;
  }

  /// Whether an item can have a keyword of this length.
  public static boolean hasKeywordLength(String word) {
    String normalized = normalized(word);
    int length = normalized.codePointCount(0, normalized.length());
    return length >= 1 && length <= MAX_KEYWORD;
  }

  /// Checks a text that may only be looked up.
  ///
  /// @throws IllegalArgumentException with the first control character or unpaired surrogate
  public static void checkControlCharacters(String what, String text) {
    for (int i = 0; i < text.length(); i++) {
      int character = text.codePointAt(i);
      if (Character.isISOControl(character)
          || Character.getType(character) == Character.SURROGATE) {
        throw contains(
            what,
            character,
            text.codePointCount(0, i) + 1,
            "control characters and unpaired surrogates are not allowed");
      }
      i += Character.charCount(character) - 1;
    }
  }

  private static void checkCharacters(String what, String text) {
    Matcher emoji = EMOJI.matcher(text);
    int position = 1;
    for (int i = 0; i < text.length(); position++) {
      int character = text.codePointAt(i);
      if (emoji.region(i, text.length()).lookingAt()) {
        position += text.codePointCount(i, emoji.end()) - 1;
        i = emoji.end();
        continue;
      }
      if (FORBIDDEN.matcher(Character.toString(character)).matches()) {
        throw contains(
            what,
            character,
            position,
            "control, format, private-use, unassigned and invisible characters are not allowed");
      }
      int end = i + Character.charCount(character);
      if ((i == 0 || end == text.length()) && isSpace(character)) {
        throw contains(
            what, character, position, "white space at the beginning or end is not allowed");
      }
      i = end;
    }
  }

  private static boolean isSpace(int character) {
    return Character.isWhitespace(character) || Character.isSpaceChar(character);
  }

  private static void refuse(String what, String text, String characters, String reason) {
    for (int i = 0; i < text.length(); i++) {
      if (characters.indexOf(text.charAt(i)) >= 0) {
        throw contains(what, text.charAt(i), text.codePointCount(0, i) + 1, reason);
      }
    }
  }

  /// The error of a character that is not allowed.
  ///
  /// @param position from 1, in code points
  /// @param reason what is allowed, or why it is not
  public static IllegalArgumentException contains(
      String what, int character, int position, String reason) {
    return new IllegalArgumentException(
        what + " contains " + described(character) + " at position " + position + "; " + reason);
  }

  /// `ZERO WIDTH SPACE (U+200B)`
  private static String described(int character) {
    String name = Character.getName(character);
    return format("%s (U+%04X)", name == null ? "unassigned character" : name, character);
  }

  /// A text from outside for a message, shortened and without what could change the message.
  public static String quoted(String text) {
    int end =
        text.offsetByCodePoints(0, Math.min(MAX_QUOTED, text.codePointCount(0, text.length())));
    String first = FORBIDDEN.matcher(text.substring(0, end)).replaceAll("?");
    return end < text.length() ? first + "…" : first;
  }
}
