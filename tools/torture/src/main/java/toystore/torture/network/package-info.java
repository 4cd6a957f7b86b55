/// The store behind a network that cuts, delays and holds messages, and clients that retry,
/// duplicate, reorder and abandon requests.
///
/// ```
///  HistoryClient ──▶ proxy ──▶ frontend ──▶ proxy ──▶ order ──▶ proxy ──▶ catalog
///     │                           └───────▶ proxy ──────────────────────────▶ ▲
///     ▼
///  History ──▶ GuaranteeChecker   compares it with the list of orders
///          └─▶ PorcupineChecker   checks that it is linearizable
/// ```
///
/// Start at [NetworkFaults].
@NullMarked
package toystore.torture.network;

import org.jspecify.annotations.NullMarked;
