package toystore.platform.journal;

import static toystore.common.RootLocale.format;

import org.jspecify.annotations.Nullable;

/// The idempotency key of a request.
///
/// @param scope what the value belongs to, see [#scope]
/// @param clientMade whether the client chose the key and may repeat the request; otherwise the
///   request is sent once, and refusals need not be kept
public record RequestKey(String scope, String value, boolean clientMade) {
  private static final int SCOPE_LENGTH = 1024;
  private static final int VALUE_LENGTH = 255;

  /// @throws IllegalArgumentException with what was expected and what was received
  public RequestKey {
    if (scope.length() > SCOPE_LENGTH || scope.indexOf('\n') >= 0) {
      throw new IllegalArgumentException(
          format(
              "key.scope must have at most %d characters and no line feed, got %d characters",
              SCOPE_LENGTH, scope.length()));
    }
    if (!isValue(value)) {
      throw new IllegalArgumentException(
          format(
              "key.value must have 1 to %d printable ASCII characters, got %d characters",
              VALUE_LENGTH, value.length()));
    }
  }

  /// Whether it has 1 to 255 printable ASCII characters.
  public static boolean isValue(String value) {
    return !value.isEmpty()
        && value.length() <= VALUE_LENGTH
        && value.chars().allMatch(c -> c >= ' ' && c <= '~');
  }

  /// The scope of a key. Two users, or two paths, may use the same value.
  ///
  /// @param path of the URL
  /// @param user null: anonymous
  public static String scope(String method, String path, @Nullable String user) {
    return user == null ? method + " " + path : method + " " + path + " " + user;
  }

  /// The key as stored. Values ordered by time keep its index entries close together and in the
  /// cache.
  public String stored() {
    return scope + '\n' + value;
  }
}
