/// The order service: orders, carts and purchases.
///
/// [OrderRpc] sends an order to the catalog. The commit in the catalog is the sale, and orders are
/// read there.
///
/// [CartRpc] serves carts, [PurchaseRpc] purchases. [PurchaseDriver] drives each [Purchase] through
/// payment and sale, and continues it after a restart. [PurchaseRecovery] rebuilds purchases from
/// the catalog's sales after this database, or the catalog, was restored from a backup.
/// [PurchaseAudit] compares purchases with sales and payments. See `docs/one-purchase.md`.
///
/// One writer changes carts and purchases: [OrderBatchStore].
@NullMarked
package toystore.order;

import org.jspecify.annotations.NullMarked;
