/// The payment service: a sandbox in place of a payment provider, with its own ledger.
@NullMarked
package toystore.payment;

import org.jspecify.annotations.NullMarked;
