package toystore.platform.idempotency;

import org.jspecify.annotations.Nullable;

/// The idempotency key of a request.
///
/// @param scope what the value belongs to, see [#scope]
/// @param clientMade whether the client chose it and so may repeat the request; else the request is
///   sent once and a refusal need not be kept
public record RequestKey(String scope, String value, boolean clientMade) {
  private static final int SCOPE_LENGTH = 1024;
  private static final int VALUE_LENGTH = 255;

  /// @throws IllegalArgumentException that says what was wanted and what came
  public RequestKey {
    if (scope.length() > SCOPE_LENGTH || scope.indexOf('\n') >= 0) {
      throw new IllegalArgumentException(
          "key.scope must have at most %d characters and no line feed, got %d characters"
              .formatted(SCOPE_LENGTH, scope.length()));
    }
    if (!isValue(value)) {
      throw new IllegalArgumentException(
          "key.value must have 1 to %d printable ASCII characters, got %d characters"
              .formatted(VALUE_LENGTH, value.length()));
    }
  }

  /// Whether it has 1 to 255 printable ASCII characters.
  public static boolean isValue(String value) {
    return !value.isEmpty()
        && value.length() <= VALUE_LENGTH
        && value.chars().allMatch(c -> c >= ' ' && c <= '~');
  }

  /// What a key belongs to: two users, or two paths, may choose the same value.
  ///
  /// @param path of the URL
  /// @param user null: nobody
  public static String scope(String method, String path, @Nullable String user) {
    return user == null ? method + " " + path : method + " " + path + " " + user;
  }

  /// As it is kept: ordered by time where the value is, so that its index stays warm.
  public String stored() {
    return scope + '\n' + value;
  }
}
