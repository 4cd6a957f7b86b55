/// The ledger: [LedgerBatchStore] decides the commands of a batch on the rows on disk and commits
/// them; [PaymentAudit] checks the rows.
@NullMarked
package toystore.payment.storage;

import org.jspecify.annotations.NullMarked;
