package toystore.exchange.domain;

import org.jspecify.annotations.Nullable;
import toystore.exchange.engine.CashAccount;

/// How a command names an account, and what it may reach. An account that it may not reach is
/// unknown to it.
public sealed interface AccountKey {
  /// An account over gRPC or REST.
  ///
  /// @param owner the user, such as `buyer:17`, who reaches the accounts that the user created;
  ///   null: the administrator, who reaches all
  record Numbered(long number, @Nullable String owner) implements AccountKey {
    public boolean reaches(CashAccount account) {
      return owner == null || owner.equals(account.owner());
    }
  }

  /// An account over XML, which reaches only accounts that were created there.
  record Xml(String id) implements AccountKey {}
}
