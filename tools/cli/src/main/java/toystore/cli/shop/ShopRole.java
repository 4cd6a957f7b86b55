package toystore.cli.shop;

import java.util.Locale;

/// The two roles of a user of the marketplace.
public enum ShopRole {
  BUYER,
  SELLER;

  /// The path of its accounts.
  public String path() {
    return "/api/" + this + "s";
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
