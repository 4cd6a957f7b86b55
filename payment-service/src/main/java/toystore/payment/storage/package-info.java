/// The ledger: [PaymentBatches] begins batches, whose commands are decided on the rows on disk and
/// commits them; [PaymentAudit] checks the rows.
@NullMarked
package toystore.payment.storage;

import org.jspecify.annotations.NullMarked;
