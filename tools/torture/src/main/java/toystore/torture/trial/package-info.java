/// What the trials of several packages use: their [TrialRound], and [MarketplaceBuyers] with the
/// [PaymentLedger] that their purchases are compared with.
@NullMarked
package toystore.torture.trial;

import org.jspecify.annotations.NullMarked;
