package toystore.frontend.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.function.Supplier;

/// Parses request bodies for tests in other packages.
public final class RequestBodies {
  private RequestBodies() {}

  public static JsonBody fields(byte[] body) {
    return JsonBody.parse(body);
  }

  /// Returns the parsed value; empty if it was rejected with 400. Any other exception is thrown.
  public static <T> Optional<T> readOrRejected(Supplier<T> reading) {
    try {
      return Optional.of(reading.get());
    } catch (ApiException refusal) {
      assertThat(refusal.status()).as(refusal.getMessage()).isEqualTo(400);
      return Optional.empty();
    }
  }
}
