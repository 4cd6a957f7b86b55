/// What is done about purchases without a request. Start at [PurchaseDriver]; [PurchaseRecovery]
/// compares with the catalog's sales, [PurchaseAudit] also with the ledger.
@NullMarked
package toystore.order.purchases;

import org.jspecify.annotations.NullMarked;
