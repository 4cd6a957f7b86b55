package toystore.cli;

import java.util.Locale;

/// The two roles of a user of the marketplace.
enum ShopRole {
  BUYER,
  SELLER;

  /// The path of its accounts.
  String path() {
    return "/api/" + this + "s";
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
