package toystore.exchange.domain;

import org.jspecify.annotations.Nullable;
import toystore.exchange.engine.CashAccount;

/// How a command names an account. One that it may not reach is unknown to it.
public sealed interface AccountKey {
  /// An account over gRPC or REST.
  ///
  /// @param owner who reaches the accounts that the user created, such as `buyer:17`; null: the
  ///   administrator, who reaches all
  record Numbered(long number, @Nullable String owner) implements AccountKey {
    public boolean reaches(CashAccount account) {
      return owner == null || owner.equals(account.owner());
    }
  }

  /// Reaches only accounts that were created over XML.
  record Xml(String id) implements AccountKey {}
}
