package toystore.frontend.http;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.validation.Validation;
import jakarta.validation.Validator;
import java.util.Optional;
import java.util.function.Supplier;
import toystore.frontend.http.error.ApiException;
import toystore.frontend.http.json.JsonBodyReader;

/// Reads request bodies as the controllers get them, for tests in other packages.
public final class RequestBodies {
  private static final Validator VALIDATOR =
      Validation.buildDefaultValidatorFactory().getValidator();
  private static final JsonBodyReader READER = new JsonBodyReader(VALIDATOR);

  private RequestBodies() {}

  public static <T> T read(byte[] body, Class<T> type) {
    return READER.read(body, type);
  }

  /// Returns the parsed value; empty if it was rejected with 400. Any other exception is thrown.
  public static <T> Optional<T> readOrRejected(Supplier<T> reading) {
    try {
      return Optional.of(reading.get());
    } catch (ApiException refusal) {
      assertThat(refusal.status()).as(refusal.getMessage()).isEqualTo(400);
      assertThat(refusal.getMessage())
          .doesNotContainPattern("Exception|Stream|reference chain|jackson|\\(code|`|java\\.");
      return Optional.empty();
    }
  }
}
