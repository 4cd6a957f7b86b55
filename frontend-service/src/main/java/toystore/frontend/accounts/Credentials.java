package toystore.frontend.accounts;

import java.nio.charset.StandardCharsets;
import toystore.frontend.http.JsonBody;

/// A username and a password. Its text does not show them.
public record Credentials(String username, String password) {
  private static final int MAX_USERNAME = 32;
  private static final int MAX_PASSWORD_BYTES = 72; // the limit of bcrypt

  static Credentials of(JsonBody body) {
    body.allowOnly("username", "password");
    return new Credentials(
        body.text("username", MAX_USERNAME), // the account service knows which are allowed
        body.secret("password", "a string of 1 to 72 bytes in UTF-8", Credentials::isPassword));
  }

  /// An unpaired surrogate has no encoding.
  private static boolean isPassword(String text) {
    return !text.isEmpty()
        && StandardCharsets.UTF_8.newEncoder().canEncode(text)
        && text.getBytes(StandardCharsets.UTF_8).length <= MAX_PASSWORD_BYTES;
  }

  @Override
  public String toString() {
    return "Credentials";
  }
}
