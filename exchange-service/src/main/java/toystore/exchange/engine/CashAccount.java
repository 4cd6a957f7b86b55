package toystore.exchange.engine;

import org.jspecify.annotations.Nullable;

/// An account's cash after the last command. Numbers start at 1 and have no gap.
///
/// @param xmlId null if the account was not created over XML
/// @param owner the user who reaches it, such as `buyer:17`; null if only the administrator and XML
///   clients do
/// @param depositedE8 the balance at creation, which never changes
/// @param cashE8 not reserved
/// @param reservedE8 of open buy orders: their open shares times their limits
public record CashAccount(
    long number,
    @Nullable String xmlId,
    @Nullable String owner,
    long depositedE8,
    long cashE8,
    long reservedE8) {}
