package toystore.frontend.accounts;

import org.jspecify.annotations.Nullable;

/// The JSON view of a registration or a login. Its text does not show the token.
///
/// @param token null after a registration
record LoginView(String message, @Nullable String token) {
  @Override
  public String toString() {
    return "LoginView";
  }
}
