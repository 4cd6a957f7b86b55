package toystore.exchange.engine;

import org.jspecify.annotations.Nullable;

/// An account's cash after the last command. Numbers start at 1 and have no gap.
///
/// @param xmlId the id that an XML client chose; null if the account was not created over XML
/// @param owner the user whose sessions reach the account, such as `buyer:17`; null if only the
///   administrator and XML clients do
/// @param depositedE8 the balance at creation, which never changes
/// @param cashE8 cash that is not reserved
/// @param reservedE8 cash that open buy orders reserve: their open shares times their limits
public record CashAccount(
    long number,
    @Nullable String xmlId,
    @Nullable String owner,
    long depositedE8,
    long cashE8,
    long reservedE8) {}
