package toystore.exchange.rpc;

import org.jspecify.annotations.Nullable;
import toystore.exchange.domain.AccountKey;

/// @param owner a buyer or seller of the marketplace, such as `buyer:17`; null: the administrator
/// @param sessionId 0: the administrator, who has no session
record ExchangeUser(@Nullable String owner, long sessionId) {
  static final ExchangeUser ADMINISTRATOR = new ExchangeUser(null, 0);

  /// It owns the user's accounts and keys.
  String name() {
    return owner == null ? "administrator" : owner;
  }

  AccountKey account(long number) {
    return new AccountKey.Numbered(number, owner);
  }
}
