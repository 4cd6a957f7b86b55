package toystore.account;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Instant;

/// A buyer or a seller.
///
/// @param id from 1 in each role, in order of registration
/// @param username unique in its role; upper and lower case are different
/// @param passwordHash bcrypt hash with its salt and strength
record Account(Role role, long id, String username, String passwordHash, Instant created) {
  private static final int MAX_USERNAME = 32;
  private static final int MAX_PASSWORD_BYTES = 72;

  /// @throws IllegalArgumentException with what was expected and what was received
  static String checkUsername(String username) {
    int characters = username.codePointCount(0, username.length());
    if (characters < 1 || characters > MAX_USERNAME) {
      throw new IllegalArgumentException(
          "username must have 1 to %d characters, got %d".formatted(MAX_USERNAME, characters));
    }
    if (username.codePoints().anyMatch(Account::isNotPrintable)) {
      throw new IllegalArgumentException(
          "username must not have control characters or unpaired surrogates");
    }
    return username;
  }

  private static boolean isNotPrintable(int character) {
    int type = Character.getType(character);
    return type == Character.CONTROL
        || type == Character.FORMAT
        || type == Character.LINE_SEPARATOR
        || type == Character.PARAGRAPH_SEPARATOR
        || type == Character.SURROGATE;
  }

  /// bcrypt uses at most 72 bytes, and a NUL like the end of the password.
  ///
  /// @throws IllegalArgumentException that does not contain the password
  static String checkPassword(String password) {
    int bytes = password.getBytes(UTF_8).length;
    if (bytes < 1 || bytes > MAX_PASSWORD_BYTES) {
      throw new IllegalArgumentException(
          "password must have 1 to %d bytes in UTF-8, got %d".formatted(MAX_PASSWORD_BYTES, bytes));
    }
    if (password.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("password must not have a NUL character");
    }
    return password;
  }

  /// Without the hash, so that no log or message has it.
  @Override
  public String toString() {
    return "Account[%s %d]".formatted(role, id);
  }
}
