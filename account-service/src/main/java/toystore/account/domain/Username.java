package toystore.account.domain;

import java.util.stream.Collectors;
import java.util.stream.Stream;
import rocks.xmpp.precis.PrecisProfile;
import rocks.xmpp.precis.PrecisProfiles;
import toystore.platform.text.IdentifierText;

/// A username of a request. Names with the same normal form are one name: `Bob` and `bob`, composed
/// and decomposed `José`. The normal form is that of the profile UsernameCaseMapped (RFC 8265),
/// applied to each word of the name. Between two words there is one space.
///
/// @param sent the name as it was sent
/// @param normalForm the form in which names are stored and compared
public record Username(String sent, String normalForm) {
  private static final String WHAT = "username";
  private static final int MAX_LENGTH = 32;

  private static final PrecisProfile PROFILE = PrecisProfiles.USERNAME_CASE_MAPPED;

  /// The name of a new account.
  ///
  /// @throws IllegalArgumentException with what was expected and what was received
  public static Username ofNewAccount(String sent) {
    String text = IdentifierText.of(WHAT, sent, 1, MAX_LENGTH);
    String normalForm;
    try {
      normalForm = normalForm(text);
    } catch (IllegalArgumentException e) {
      throw notAUsername(text, e);
    }
    return new Username(sent, IdentifierText.of(WHAT, normalForm, 1, MAX_LENGTH));
  }

  /// The name in a login. No account has one that is refused for new accounts.
  ///
  /// @throws IllegalArgumentException with what was expected and what was received
  public static Username ofLogin(String sent) {
    String normalized = IdentifierText.normalized(sent);
    int length = Math.min(length(sent), length(normalized));
    if (length < 1 || length > MAX_LENGTH) {
      throw new IllegalArgumentException(
          "username must have 1 to " + MAX_LENGTH + " characters, got " + length);
    }
    try {
      return new Username(sent, normalForm(sent));
    } catch (IllegalArgumentException e) {
      return new Username(sent, normalized);
    }
  }

  private static int length(String text) {
    return text.codePointCount(0, text.length());
  }

  /// @throws IllegalArgumentException if the profile does not allow the name
  private static String normalForm(String name) {
    return Stream.of(name.split(" ", -1)).map(PROFILE::enforce).collect(Collectors.joining(" "));
  }

  /// Names the first character that the profile does not allow.
  private static IllegalArgumentException notAUsername(
      String text, IllegalArgumentException cause) {
    int position = 1;
    for (int i = 0; i < text.length(); position++) {
      int character = text.codePointAt(i);
      if (character != ' ' && !isAllowed(Character.toString(character))) {
        return IdentifierText.contains(
            WHAT, character, position, "letters, digits and ASCII punctuation are allowed");
      }
      i += Character.charCount(character);
    }
    return new IllegalArgumentException(
        text.contains("  ")
            ? "username must have one space between two words, got two"
            : "username must follow RFC 8265 (UsernameCaseMapped): " + cause.getMessage(),
        cause);
  }

  private static boolean isAllowed(String character) {
    try {
      PROFILE.prepare(character);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /// Without the name: logs contain no usernames.
  @Override
  public String toString() {
    return "Username";
  }
}
