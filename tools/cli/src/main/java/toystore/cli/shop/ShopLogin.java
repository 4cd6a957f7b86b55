package toystore.cli.shop;

/// A login of the shop's user, as kept between two commands.
///
/// @param token the bearer token of the session; a secret
public record ShopLogin(ShopRole role, String name, String token) {
  /// Without the token.
  @Override
  public String toString() {
    return role + " " + name;
  }
}
