package toystore.frontend.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.function.Supplier;

/// Bodies for the tests of other packages.
public final class RequestBodies {
  private RequestBodies() {}

  public static JsonBody fields(byte[] body) {
    return JsonBody.parse(body);
  }

  /// What was read; empty: it was refused as a bad request. Any other failure flies.
  public static <T> Optional<T> readOrRejected(Supplier<T> reading) {
    try {
      return Optional.of(reading.get());
    } catch (ApiError refusal) {
      assertThat(refusal.status()).as(refusal.getMessage()).isEqualTo(400);
      return Optional.empty();
    }
  }
}
