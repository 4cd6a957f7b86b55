package toystore.account.domain;

import static java.nio.charset.StandardCharsets.UTF_8;
import static toystore.common.RootLocale.format;

import java.time.Instant;

/// A buyer or a seller.
///
/// @param id from 1 in each role, in order of registration
/// @param username unique in its role: the normal form of a [Username]. Names that an earlier
///   version accepted may have another form
/// @param passwordHash bcrypt hash with its salt and strength
public record Account(Role role, long id, String username, String passwordHash, Instant created) {
  private static final int MAX_PASSWORD_BYTES = 72;

  /// bcrypt uses at most 72 bytes, and a NUL like the end of the password.
  ///
  /// @throws IllegalArgumentException that does not contain the password
  public static String checkPassword(String password) {
    int bytes = password.getBytes(UTF_8).length;
    if (bytes < 1 || bytes > MAX_PASSWORD_BYTES) {
      throw new IllegalArgumentException(
          format("password must have 1 to %d bytes in UTF-8, got %d", MAX_PASSWORD_BYTES, bytes));
    }
    if (password.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("password must not have a NUL character");
    }
    return password;
  }

  /// Without the hash, so that no log or message has it.
  @Override
  public String toString() {
    return format("Account[%s %d]", role, id);
  }
}
