package toystore.frontend.accounts;

import jakarta.validation.constraints.NotNull;
import java.nio.charset.StandardCharsets;
import org.hibernate.validator.constraints.CodePointLength;
import org.hibernate.validator.constraints.CodePointLength.NormalizationStrategy;
import toystore.frontend.http.error.ApiException;
import toystore.frontend.http.json.Secret;
import toystore.platform.text.IdentifierText;

/// A username and a password. The account service knows which usernames are allowed. Its text does
/// not show them.
public record Credentials(
    @CodePointLength(
            min = 1,
            max = 32,
            normalizationStrategy = NormalizationStrategy.NFC,
            message = "must be a string of {min} to {max} characters")
        String username,
    @NotNull(message = Credentials.PASSWORD, payload = Secret.class) String password) {
  private static final String PASSWORD = "must be a string of 1 to 72 bytes in UTF-8";
  private static final int MAX_PASSWORD_BYTES = 72; // the limit of bcrypt

  public Credentials {
    try {
      IdentifierText.checkControlCharacters("username", username);
    } catch (IllegalArgumentException e) {
      throw ApiException.badRequest(String.valueOf(e.getMessage()));
    }
    int bytes = password.getBytes(StandardCharsets.UTF_8).length;
    if (bytes < 1 || bytes > MAX_PASSWORD_BYTES) {
      throw ApiException.badRequest("password " + PASSWORD);
    }
  }

  @Override
  public String toString() {
    return "Credentials";
  }
}
