package toystore.account.domain;

import toystore.platform.idempotency.RefusalReason;

/// Why a command is refused.
public enum AccountRefusal implements RefusalReason {
  USERNAME_TAKEN(true),
  SESSION_UNKNOWN(false),
  SELLER_NOT_FOUND(true),
  BUYER_NOT_FOUND(true),
  /// The item has a different owner.
  OTHER_SELLER(false);

  private final boolean kept;

  AccountRefusal(boolean kept) {
    this.kept = kept;
  }

  @Override
  public boolean isKept() {
    return kept;
  }
}
