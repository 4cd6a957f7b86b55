package toystore.frontend.accounts;

/// The role of an account. Each role has its own usernames and ids.
public enum AccountRole {
  BUYER("/api/buyers/register"),
  SELLER("/api/sellers/register");

  private final String registerPath;

  AccountRole(String registerPath) {
    this.registerPath = registerPath;
  }

  /// Part of the scope of the keys of registrations.
  String registerPath() {
    return registerPath;
  }
}
